# SPDX-License-Identifier: MIT
# The file is written although the answer is no, and although the map can't be loaded.
"$MAPTOOL" check maps/device-twice.crush.json -o "$WORK/findings.txt"
echo "$?"
tail -n 1 "$WORK/findings.txt"
"$MAPTOOL" check maps/faults.json -o "$WORK/findings.txt"
echo "$?"
tail -n 1 "$WORK/findings.txt"
