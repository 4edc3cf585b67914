# SPDX-License-Identifier: MIT
# A newer release has words for all of it; pacific has not.
cat >"$WORK/newest.txt" <<'END'
# begin crush map
tunable msr_descents 5
device 0 osd.0 class hdd
device 1 osd.1
type 0 osd
type 1 host
host a {
	id -1
	id -2 class hdd
	alg straw2
	item osd.0 weight 0.09769
	item osd.1 weight 1.00000
}
rule m {
	id 7
	type msr_indep
	step set_msr_descents 2
	step take a class hdd
	step choosemsr 4 type osd
	step emit
}
END
"$MAPTOOL" convert "$WORK/newest.txt" --to crush-text --dialect squid
"$MAPTOOL" convert "$WORK/newest.txt" --to crush-text
