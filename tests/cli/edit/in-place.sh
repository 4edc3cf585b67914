# SPDX-License-Identifier: MIT
cp maps/small.json "$WORK/m.json"
"$MAPTOOL" edit "$WORK/m.json" -o "$WORK/m.json" -e "out 0" &&
	"$MAPTOOL" edit maps/small.json -e "out 0" | cmp - "$WORK/m.json"
