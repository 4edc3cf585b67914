# SPDX-License-Identifier: MIT
for threads in 1 3; do
	"$MAPTOOL" fail ../../maps/three-dc.json --each host --threads $threads \
		--report json >"$WORK/$threads"
done
cmp "$WORK/1" "$WORK/3" && wc -l <"$WORK/1"
