# SPDX-License-Identifier: MIT
for threads in 1 3; do
	"$MAPTOOL" spread ../../maps/three-dc.json --threads $threads \
		--report json >"$WORK/$threads"
done
cmp "$WORK/1" "$WORK/3" && wc -l <"$WORK/1"
