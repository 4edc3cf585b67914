# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/weight-sets.crush.json -e "reweight osd.0 2" >"$WORK/a" &&
	"$MAPTOOL" convert maps/weight-sets.crush.json --to json >"$WORK/j" &&
	"$MAPTOOL" edit "$WORK/j" -e "reweight osd.0 2" --to crush-json | cmp - "$WORK/a"
