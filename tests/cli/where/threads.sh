# SPDX-License-Identifier: MIT
for threads in 1 3; do
	"$MAPTOOL" where ../../maps/three-dc.json --item r1 --report csv \
		--threads $threads >"$WORK/$threads"
done
cmp "$WORK/1" "$WORK/3" && wc -l <"$WORK/1"
