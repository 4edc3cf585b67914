# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json --to crush-bin --lossy -o "$WORK/small.bin" 2>"$WORK/lost"
cd "$WORK" && "$MAPTOOL" show small.bin --from json
