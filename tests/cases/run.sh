#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh MAPTOOL [GROUP...]: situations that people met in production, with the answers that
# Ceph's own program gives for the same maps (counted from the mappings of `crushtool --test`,
# version 16.2.15).
set -u
maptool=$1
shift
maps=$(dirname "$0")/maps
checks=0
failures=0

expect() { # WHAT EXPECTED GOT
	checks=$((checks + 1))
	[ "$2" = "$3" ] && return
	failures=$((failures + 1))
	echo "$1: expected $2, got $3"
}

# The columns named, of the first row of the CSV on standard input, separated by spaces.
columns() {
	awk -F, -v wanted="$*" '
		NR == 1 {
			for (i = 1; i <= NF; i++) at[$i] = i
			n = split(wanted, names, " ")
		}
		NR == 2 {
			for (i = 1; i <= n; i++)
				printf "%s%s", $at[names[i]], i < n ? " " : "\n"
		}'
}

bad() { # MAP RULE SIZE INPUTS: how many mappings are short or have holes
	"$maptool" place "$maps/$1.json" --rule "$2" --size "$3" --inputs "$4" \
		--layout crushtool-bad 2>/dev/null | grep -c '^bad mapping'
}

moved() { # OLD NEW OPTION...: PGs changed, shards moved
	old=$maps/$1.json
	new=$maps/$2.json
	shift 2
	"$maptool" diff "$old" "$new" "$@" --report csv --table summary 2>/dev/null |
		columns pgs_changed shards_moved
}

minimum() { # OLD NEW OPTION...: the least possible, in percent with two digits
	old=$maps/$1.json
	new=$maps/$2.json
	shift 2
	"$maptool" diff "$old" "$new" "$@" --report csv --table summary 2>/dev/null |
		columns minimum_percent | awk '{ printf "%.2f\n", $1 }'
}

c01() {
	expect "c01, 50 tries" 764 "$(bad c01-ec9-on-9-hosts ec_default 9 0-199999)"
	expect "c01, 100 tries" 2 "$(bad c01-ec9-on-9-hosts ec_tries100 9 0-199999)"
	expect "c01, 200 tries" 0 "$(bad c01-ec9-on-9-hosts ec_tries200 9 0-199999)"
	expect "c01b, a hole in every one" 1000 "$(bad c01b-ec9-on-8-hosts ec_tries200 9 0-999)"
}

c02() {
	expect "c02, 50 tries" 2549 "$(bad c02-ec8p3-on-11-hosts ec_default 11 0-199999)"
	expect "c02, 100 tries" 27 "$(bad c02-ec8p3-on-11-hosts ec_tries100 11 0-199999)"
	expect "c02, 200 tries" 0 "$(bad c02-ec8p3-on-11-hosts ec_tries200 11 0-199999)"
	expect "c02b, 50 tries" 31 "$(bad c02b-ec8p3-on-12-hosts ec_default 11 0-199999)"
	expect "c02b, 100 tries" 0 "$(bad c02b-ec8p3-on-12-hosts ec_tries100 11 0-199999)"
}

c11() {
	expect "c11, rack rule" 6789 "$(bad c11-osd-in-two-places rack 3 0-65535)"
	expect "c11, host rule" 4668 "$(bad c11-osd-in-two-places host 3 0-65535)"
	expect "c11a, rack rule" 0 "$(bad c11a-no-duplicate rack 3 0-65535)"
	expect "c11a, host rule" 0 "$(bad c11a-no-duplicate host 3 0-65535)"
	warning=$("$maptool" place "$maps/c11-osd-in-two-places.json" --rule host --size 3 \
		--x 1 2>&1 >/dev/null)
	case $warning in
	"maptool: warning: "*osd.10*) named=yes ;;
	*) named="no: $warning" ;;
	esac
	expect "c11, the item is named" yes "$named"
}

c15() {
	map=c15-add-device-class-94pct
	rules="--rule plain --new-rule classed --size 3 --inputs 0-4095"
	expect "c15, as sets" "4094 11372" "$(moved $map $map $rules)"
	expect "c15, by position" "4095 11600" "$(moved $map $map $rules --by position)"
	expect "c15, least possible" 0.00 "$(minimum $map $map $rules)"
}

c24() {
	inputs="--rule r --inputs 0-99999"
	expect "c24, one copy of 7" "2120 2120" \
		"$(moved c24-straw2-a7 c24-straw2-b7 $inputs --size 1)"
	expect "c24, three copies of 7" "6205 6246" \
		"$(moved c24-straw2-a7 c24-straw2-b7 $inputs --size 3)"
	expect "c24, one copy of 3" "1182 1182" \
		"$(moved c24-straw2-a3 c24-straw2-b3 $inputs --size 1)"
	# With one copy, data moves only to the item that grew.
	others=$("$maptool" diff "$maps/c24-straw2-a7.json" "$maps/c24-straw2-b7.json" $inputs \
		--size 1 --report csv --table devices |
		awk -F, 'NR > 1 && $3 > 0 { n++ } END { print n + 0 }')
	expect "c24, items that gain" 1 "$others"
}

c26() {
	inputs="--rule rep_rack --size 3 --inputs 0-65535"
	expect "c26, argonaut to bobtail" "731 743" \
		"$(moved c26-tunables-argonaut c26-tunables-bobtail $inputs)"
	expect "c26, bobtail to firefly" "65500 127760" \
		"$(moved c26-tunables-bobtail c26-tunables-firefly $inputs)"
	expect "c26, firefly to jewel" "65500 127852" \
		"$(moved c26-tunables-firefly c26-tunables-jewel $inputs)"
	out="$inputs --new-reweight 152-159 0"
	expect "c26, a host out of argonaut" "9778 11346" \
		"$(moved c26-tunables-argonaut c26-tunables-argonaut $out)"
	expect "c26, a host out of bobtail" "9784 18023" \
		"$(moved c26-tunables-bobtail c26-tunables-bobtail $out)"
	expect "c26, a host out of firefly" "9811 16319" \
		"$(moved c26-tunables-firefly c26-tunables-firefly $out)"
	expect "c26, a host out of jewel" "9789 9789" \
		"$(moved c26-tunables-jewel c26-tunables-jewel $out)"
	expect "c26, least possible" 5.00 "$(minimum c26-tunables-jewel c26-tunables-jewel $out)"
}

# How the copies lie on the two sites: site1 has devices 0 to 23.
sites() { # RULE SIZE: the sorted list of "on site1 + on site2"
	"$maptool" place "$maps/c27-stretch-uneven.json" --rule "$1" --size "$2" --inputs 0-4095 \
		--report csv | awk -F, -v last="$site1_last" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "devices") at = i }
		NR > 1 {
			n = split($at, d, " "); a = 0
			for (i = 1; i <= n; i++) a += (d[i] <= last)
			seen[a "+" n - a] = 1
		}
		END { for (s in seen) print s }' | sort | tr '\n' ' ' | sed 's/ $//'
}

c27() {
	expect "c27, four copies by two takes" "2+2" "$(sites stretch2takes 4)"
	expect "c27, four copies by choose 0" "2+2" "$(sites stretch_choose0 4)"
	expect "c27, three copies by two takes" "2+1" "$(sites stretch2takes 3)"
	expect "c27, three copies by choose 2" "1+2 2+1" "$(sites stretch_choose2 3)"
}

c32() {
	base=c32-4racks-5hosts-8osd
	host="--rule rep_host --size 3 --inputs 0-65535"
	rack="--rule rep_rack --size 3 --inputs 0-65535"
	out="--new-reweight 152-159 0"
	expect "c32, a host more, host rule" "14544 16402" "$(moved $base $base-plus-host $host)"
	expect "c32, a host more, rack rule" "15850 19151" "$(moved $base $base-plus-host $rack)"
	expect "c32, … by position" "15856 20982" \
		"$(moved $base $base-plus-host $rack --by position)"
	expect "c32, … least possible" 4.76 "$(minimum $base $base-plus-host $host)"
	expect "c32, a rack more, host rule" "33055 41800" "$(moved $base $base-plus-rack $host)"
	expect "c32, a rack more, rack rule" "39302 52737" "$(moved $base $base-plus-rack $rack)"
	expect "c32, … least possible" 20.00 "$(minimum $base $base-plus-rack $rack)"
	expect "c32, a host out, rack rule" "9789 9789" "$(moved $base $base $rack $out)"
	expect "c32, a host out, host rule" "9815 9815" "$(moved $base $base $host $out)"
	expect "c32, … by position" "9815 19605" "$(moved $base $base $host $out --by position)"
	expect "c32, a host out, erasure rule" "12989 12999" \
		"$(moved $base $base --rule ec_rack --size 4 --inputs 0-65535 $out)"
	expect "c32, … least possible" 5.00 "$(minimum $base $base $rack $out)"
}

site1_last=23
for group in ${*:-c01 c02 c11 c15 c24 c26 c27 c32}; do
	$group
done
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
