# SPDX-License-Identifier: MIT
echo old >"$WORK/o"
"$MAPTOOL" edit maps/small.json -o "$WORK/o" -e "out 0" -e "mvoe h1 to h2"
code=$?
cat "$WORK/o"
exit $code
