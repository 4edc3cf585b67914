# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e "add host:h9 to default" -e "move 1 to h9" >"$WORK/edited"
"$MAPTOOL" diff maps/small.json "$WORK/edited" --report json >"$WORK/a"
"$MAPTOOL" diff maps/small.json -e "add host:h9 to default" -e "move 1 to h9" --report json |
	cmp - "$WORK/a"
