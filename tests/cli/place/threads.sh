# SPDX-License-Identifier: MIT
for threads in 1 3; do
	"$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 0-99999 \
		--threads $threads --report csv >"$WORK/$threads"
done
cmp "$WORK/1" "$WORK/3" && wc -l <"$WORK/1"
