# SPDX-License-Identifier: MIT
# The run fails after the file was opened: the table is not there.
echo old >"$WORK/file"
"$MAPTOOL" place maps/small.json --report csv --table none -o "$WORK/file"
code=$?
cat "$WORK/file"
ls -A "$WORK"
exit $code
