# SPDX-License-Identifier: MIT
echo "out 0" | "$MAPTOOL" edit maps/small.json -f - >"$WORK/a"
"$MAPTOOL" edit maps/small.json -e "out 0" | cmp - "$WORK/a"
