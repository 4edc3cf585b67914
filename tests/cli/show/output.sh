# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/small.json -o "$WORK/out" &&
	"$MAPTOOL" show maps/small.json | cmp - "$WORK/out"
