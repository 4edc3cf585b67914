# SPDX-License-Identifier: MIT
umask 022
echo old >"$WORK/file" && chmod 640 "$WORK/file" && ln -s file "$WORK/link"
"$MAPTOOL" place maps/small.json --pg 1.0 --report csv --output="$WORK/link"
cat "$WORK/file" && stat -c "%a %F" "$WORK/file" "$WORK/link"
