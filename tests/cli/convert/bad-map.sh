# SPDX-License-Identifier: MIT
# A file that was there stays.
echo old >"$WORK/file"
"$MAPTOOL" convert maps/faults.json -o "$WORK/file"
code=$?
cat "$WORK/file"
ls -A "$WORK"
exit $code
