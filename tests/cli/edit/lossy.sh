# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e "out 0" --to crush-text -o "$WORK/o"
code=$?
ls "$WORK"
exit $code
