# SPDX-License-Identifier: MIT
# What crushtool makes of a map without weight sets, we make of it too, byte for byte of its text.
command -v crushtool >/dev/null || exit 0
cat >"$WORK/map" <<MAP
tunable straw_calc_version 1
device 0 osd.0 class ssd
device 1 osd.1 class hdd
device 2 osd.2 class ssd
device 3 osd.3 class hdd
device 4 osd.4
type 0 osd
type 1 host
type 2 rack
type 3 root
host h1 {
	id -2
	alg straw
	hash 0
	item osd.0 weight 1.0
	item osd.1 weight 2.5
}
host h2 {
	id -3
	alg list
	hash 0
	item osd.2 weight 1.0
	item osd.3 weight 3.0
}
host h3 {
	id -8
	alg uniform
	hash 0
	item osd.4 weight 2.0
}
rack r1 {
	id -4
	alg straw2
	hash 0
	item h1 weight 10
	item h2 weight 4
}
rack r2 {
	id -5
	alg straw2
	hash 0
	item h3 weight 2
}
root default {
	id -1
	alg straw2
	hash 0
	item r1 weight 20
	item r2 weight 2
}
rule r {
	id 0
	type replicated
	min_size 1
	max_size 10
	step take default
	step chooseleaf firstn 0 type host
	step emit
}
MAP
crushtool -c "$WORK/map" -o "$WORK/bin" || exit

# same OPERATION OPTION...: what crushtool makes of it with these options. Shadow trees are rebuilt,
# as a monitor does after each change.
same()
{
	operation=$1
	shift
	crushtool -i "$WORK/bin" "$@" -o "$WORK/theirs" >/dev/null 2>&1 &&
		crushtool -i "$WORK/theirs" --rebuild-class-roots -o "$WORK/theirs" >/dev/null &&
		crushtool -d "$WORK/theirs" -o "$WORK/wanted" &&
		"$MAPTOOL" edit "$WORK/bin" -e "$operation" -o "$WORK/ours" &&
		crushtool -d "$WORK/ours" -o "$WORK/got" &&
		diff "$WORK/wanted" "$WORK/got" >"$WORK/difference" ||
		{ echo "$operation"; cat "$WORK/difference"; }
}

same "reweight osd.0 4" --reweight-item osd.0 4
same "reweight osd.3 0.3" --reweight-item osd.3 0.3
same "reweight osd.4 7" --reweight-item osd.4 7
same "reweight h2 9" --reweight-item h2 9
same "reweight all" --reweight
same "remove osd.0" --remove-item osd.0
same "remove osd.1" --remove-item osd.1
same "add device 5 to h2 weight 2.25" --add-item 5 2.25 osd.5 --loc host h2
same "add device 9 to h1 weight 0.5 name disk" --add-item 9 0.5 disk --loc host h1
same "add host:h9 to r2" --add-bucket h9 host --loc rack r2
same "add rack:r9 to default" --add-bucket r9 rack --loc root default
same "move h1 to r2" --move h1 --loc rack r2
same "move h2 to default" --move h2 --loc root default
same "move r1 to r2" --move r1 --loc rack r2
same "add rule x replicated take default over host" \
	--create-replicated-rule x default host
same "add rule x replicated take r1 over osd class ssd" \
	--create-replicated-rule x r1 osd --device-class ssd
same "set tunable choose_total_tries 77" --set-choose-total-tries 77
same "set tunable straw_calc_version 2" --set-straw-calc-version 2
