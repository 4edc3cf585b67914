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

finding() { # MAP CODE RULE OPTION...: what check says of the rule
	map=$maps/$1.json
	code=$2
	rule=$3
	shift 3
	"$maptool" check "$map" --report csv "$@" 2>/dev/null |
		grep "^[a-z]*,$code,rule $rule,"
}

says() { # WHAT TEXT FINDING: a part of what it says
	checks=$((checks + 1))
	case $3 in *"$2"*) return ;; esac
	failures=$((failures + 1))
	echo "$1: expected to hear \"$2\", heard \"$3\""
}

causes() { # OLD NEW OPTION...: the parts of the excess, as "cause shards", one a line
	old=$maps/$1.json
	new=$maps/$2.json
	shift 2
	"$maptool" diff "$old" "$new" "$@" --report csv --table causes 2>/dev/null |
		awk -F, 'NR > 1 { printf "%s %.0f\n", $1, $2 }'
}

cures() { # OLD NEW OPTION...: what is offered, as "cure shards_moved", one a line
	old=$maps/$1.json
	new=$maps/$2.json
	shift 2
	"$maptool" diff "$old" "$new" "$@" --report csv --table cures 2>/dev/null |
		awk -F, 'NR > 1 { print $1, $2 }'
}

failures_of() { # MAP TYPE COLUMN OPTION...: what each of a type loses, in order of name
	map=$maps/$1.json
	type=$2
	column=$3
	shift 3
	"$maptool" fail "$map" --each "$type" --odds 0 "$@" --report csv 2>/dev/null |
		awk -F, -v wanted="$column" '
			NR == 1 { for (i = 1; i <= NF; i++) if ($i == wanted) at = i }
			NR > 1 { print $1 ":" $at }' | sort | tr '\n' ' ' | sed 's/ $//'
}

refilled() { # MAP OPTION...: PGs and shards that move when the last host fails
	map=$maps/$1.json
	shift
	"$maptool" fail "$map" --item 152-159 --odds 0 "$@" --report csv 2>/dev/null |
		columns pgs_degraded moved_shards
}

c01() {
	expect "c01, 50 tries" 764 "$(bad c01-ec9-on-9-hosts ec_default 9 0-199999)"
	expect "c01, 100 tries" 2 "$(bad c01-ec9-on-9-hosts ec_tries100 9 0-199999)"
	expect "c01, 200 tries" 0 "$(bad c01-ec9-on-9-hosts ec_tries200 9 0-199999)"
	expect "c01b, a hole in every one" 1000 "$(bad c01b-ec9-on-8-hosts ec_tries200 9 0-999)"
	found=$(finding c01-ec9-on-9-hosts rule-tries ec_default --size 9)
	says "c01, found by check" "0.394 % of PGs (exact; 764 of 200000 inputs" "$found"
	says "c01, cure" "with 100 tries 2 of 764 stay short, with 200 none" "$found"
	says "c01, advice" "set_choose_tries 200" "$found"
	found=$(finding c01b-ec9-on-8-hosts rule-domains ec_tries200 --size 9)
	says "c01b, what lacks" "it asks for 9 hosts in default, and 8 there can hold data" "$found"
	says "c01b, advice" "Add 1 host" "$found"
}

c02() {
	expect "c02, 50 tries" 2549 "$(bad c02-ec8p3-on-11-hosts ec_default 11 0-199999)"
	expect "c02, 100 tries" 27 "$(bad c02-ec8p3-on-11-hosts ec_tries100 11 0-199999)"
	expect "c02, 200 tries" 0 "$(bad c02-ec8p3-on-11-hosts ec_tries200 11 0-199999)"
	expect "c02b, 50 tries" 31 "$(bad c02b-ec8p3-on-12-hosts ec_default 11 0-199999)"
	expect "c02b, 100 tries" 0 "$(bad c02b-ec8p3-on-12-hosts ec_tries100 11 0-199999)"
	found=$(finding c02-ec8p3-on-11-hosts rule-tries ec_default --size 11)
	says "c02, found by check" "1.28 % of PGs (exact; 2549 of 200000 inputs" "$found"
	says "c02, cure" "with 100 tries 27 of 2549 stay short, with 200 none" "$found"
	found=$(finding c02b-ec8p3-on-12-hosts rule-tries ec_default --size 11)
	says "c02b, found by check" "(exact; 31 of 200000 inputs" "$found"
	says "c02b, cure" "with 100 tries none of 31 stay short" "$found"
}

# Three chassis of 8 blades and 4+2 shards: a chassis takes the data where it holds 3 of them.
c04() {
	map=c04-ec4p2-3-chassis
	# Without --size: the other rule says how wide the cluster's erasure code is.
	found=$(finding $map rule-level ec_host)
	says "c04, a given chassis" "the loss of a chassis takes 3 or more from 30.2 % of PGs" \
		"$found"
	says "c04, the worst one" "(30.3 % for ch1, the worst)" "$found"
	says "c04, any chassis" "83.7 % of PGs" "$found"
	says "c04, cure" 'choose indep 3 type chassis"" and ""chooseleaf indep 2 type host' \
		"$found"
	says "c04, in words" "not a chassis: 30.2 % of PGs would lose 3 or more of 6" \
		"$(finding $map rule-survives ec_host --size 6)"
	expect "c04, two by two" "" "$(finding $map rule-level ec_2perchassis --size 6)"
	says "c04, two by two, in words" "any 1 chassis can be lost (4 of 6 are left)" \
		"$(finding $map rule-survives ec_2perchassis --size 6)"
	inputs="--size 6 --inputs 0-99999 --k 4 --min-size 5"
	expect "c04, a chassis lost" "ch0:30225 ch1:30249 ch2:30248" \
		"$(failures_of $map chassis pgs_lost --rule ec_host $inputs)"
	expect "c04, … below min_size" "ch0:68106 ch1:68095 ch2:68164" \
		"$(failures_of $map chassis pgs_below_min_size --rule ec_host $inputs)"
	expect "c04, with such a chassis" 83692 "$("$maptool" fail "$maps/$map.json" \
		--each chassis --odds 0 --rule ec_host $inputs --report csv --table summary |
		columns pgs_lost_by_any)"
	expect "c04, two hosts of each chassis" "ch0:0 ch1:0 ch2:0" \
		"$(failures_of $map chassis pgs_lost --rule ec_2perchassis $inputs)"
	expect "c04, … 4 shards are left" "ch0:4 ch1:4 ch2:4" \
		"$(failures_of $map chassis least_shards_left --rule ec_2perchassis $inputs)"
}

c06() {
	map=c06-hybrid-1ssd-2hdd
	says "c06, three copies" "(a guess: no pool uses it), 2 are on one host for 33.4 % of PGs" \
		"$(finding $map rule-domain ssd1_hdd2)"
	says "c06, two copies" "with 2 copies, 2 are on one host for 16.7 % of PGs" \
		"$(finding $map rule-domain ssd1_hdd2 --size 2)"
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
	expect "c15, why" "ids 11372" "$(causes $map $map $rules)"
	expect "c15, why by position" "ids 11372
position 228" "$(causes $map $map $rules --by position)"
	expect "c15, the cure" "remap-ids 0" "$(cures $map $map $rules)"
}

# Inputs of c24 for which an item gains data, other than the one that grew.
between_unchanged() { # SIZE
	"$maptool" diff "$maps/c24-straw2-a7.json" "$maps/c24-straw2-b7.json" --rule r \
		--inputs 0-99999 --size "$1" --no-causes --list --report csv --table pgs |
		awk -F, '
		NR > 1 {
			split($2, old, " ")
			split("", had)
			for (i in old) had[old[i]]
			n = split($3, new, " ")
			gains = 0
			for (i = 1; i <= n; i++) gains = gains || (new[i] != 4 && !(new[i] in had))
			count += gains
		}
		END { print count + 0 }'
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
	expect "c24, one copy between unchanged items" 0 "$(between_unchanged 1)"
	expect "c24, three copies between unchanged items" 1557 "$(between_unchanged 3)"
	expect "c24, why" "collisions 1499" \
		"$(causes c24-straw2-a7 c24-straw2-b7 $inputs --size 3)"
}

c26() {
	inputs="--rule rep_rack --size 3 --inputs 0-65535"
	expect "c26, argonaut to bobtail" "731 743" \
		"$(moved c26-tunables-argonaut c26-tunables-bobtail $inputs)"
	expect "c26, bobtail to firefly" "65500 127760" \
		"$(moved c26-tunables-bobtail c26-tunables-firefly $inputs)"
	expect "c26, firefly to jewel" "65500 127852" \
		"$(moved c26-tunables-firefly c26-tunables-jewel $inputs)"
	expect "c26, why" "tunables 127760" \
		"$(causes c26-tunables-bobtail c26-tunables-firefly $inputs)"
	out="$inputs --new-reweight 152-159 0"
	expect "c26, a host out of argonaut" "9778 11346" \
		"$(moved c26-tunables-argonaut c26-tunables-argonaut $out)"
	expect "c26, a host out of bobtail" "9784 18023" \
		"$(moved c26-tunables-bobtail c26-tunables-bobtail $out)"
	expect "c26, a host out of firefly" "9811 16319" \
		"$(moved c26-tunables-firefly c26-tunables-firefly $out)"
	expect "c26, a host out of jewel" "9789 9789" \
		"$(moved c26-tunables-jewel c26-tunables-jewel $out)"
	for case in "argonaut 11346" "bobtail 18023" "firefly 16319" "jewel 9789"; do
		map=c26-tunables-${case% *}
		expect "c26, a host fails in ${case% *}" "${case#* }" \
			"$(refilled $map $inputs | cut -d " " -f 2)"
	done
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
	# Half of the smaller site: twice that in raw bytes, of three times.
	expect "c27, the limit" "66.67 exact" \
		"$(limit "$maps/c27-stretch-uneven.json" stretch2takes 4)"
	expect "c27, the limit of choose 0" "66.67 exact" \
		"$(limit "$maps/c27-stretch-uneven.json" stretch_choose0 4)"
	three="--rule stretch2takes --size 3 --inputs 0-4095"
	expect "c27, shards that a site takes" "site1:8192 site2:4096" \
		"$(failures_of c27-stretch-uneven datacenter shards_lost $three)"
	expect "c27, losing the site with two leaves 1" "site1:1 site2:2" \
		"$(failures_of c27-stretch-uneven datacenter least_shards_left $three)"
	expect "c27, … which is below min_size" "site1:4096 site2:0" \
		"$(failures_of c27-stretch-uneven datacenter pgs_below_min_size $three)"
	expect "c27, three copies by choose 2" "1+2 2+1" "$(sites stretch_choose2 3)"
	says "c27, four copies, in words" "any 1 datacenter can be lost (2 of 4 are left)" \
		"$(finding c27-stretch-uneven rule-survives stretch2takes)"
	says "c27, three copies, in words" "any 1 datacenter can be lost (1 of 3 is left)" \
		"$(finding c27-stretch-uneven rule-survives stretch2takes --size 3)"
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
	expect "c32, why, of one copy" "parents 1828" \
		"$(causes $base $base-plus-host --rule rep_host --size 1 --inputs 0-65535)"
	expect "c32, a rack more, host rule" "33055 41800" "$(moved $base $base-plus-rack $host)"
	expect "c32, a rack more, rack rule" "39302 52737" "$(moved $base $base-plus-rack $rack)"
	expect "c32, … least possible" 20.00 "$(minimum $base $base-plus-rack $rack)"
	expect "c32, a host out, rack rule" "9789 9789" "$(moved $base $base $rack $out)"
	expect "c32, a host out, host rule" "9815 9815" "$(moved $base $base $host $out)"
	expect "c32, … by position" "9815 19605" "$(moved $base $base $host $out --by position)"
	expect "c32, a host out, erasure rule" "12989 12999" \
		"$(moved $base $base --rule ec_rack --size 4 --inputs 0-65535 $out)"
	expect "c32, … least possible" 5.00 "$(minimum $base $base $rack $out)"
	expect "c32, a host fails, rack rule" "9789 9789" "$(refilled $base $rack)"
	expect "c32, a host fails, host rule" "9815 9815" "$(refilled $base $host)"
	expect "c32, a host fails, erasure rule" "12989 12999" \
		"$(refilled $base --rule ec_rack --size 4 --inputs 0-65535)"
}

# A column of the first and the last row of the CSV on standard input, times a factor.
ends() { # COLUMN FACTOR
	awk -F, -v column="$1" -v factor="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { first = $at[column] }
		NR > 1 { last = $at[column] }
		END { printf "%.4f %.4f\n", first * factor, last * factor }'
}

# What is expected of the first and the last device, in percent of their share, less 100.
excess() { # MAP SIZE
	"$maptool" spread "$maps/$1.json" --rule r --size "$2" --inputs 0-0 --report csv |
		awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { first = $at["expected_share"] / $at["target_share"] }
		NR > 1 { last = $at["expected_share"] / $at["target_share"] }
		END { printf "%+.2f %+.2f\n", 100 * first - 100, 100 * last - 100 }'
}

c08() {
	expect "c08, expected" "+8.55 -15.38" "$(excess c08-nine-1-one-5 2)"
}

c10() {
	map=c10-multipick-10x4-1
	expect "c10, 2 copies" "+14.52" "$(excess $map 2 | sed 's/.* //')"
	expect "c10, 3 copies" "+37.79" "$(excess $map 3 | sed 's/.* //')"
	expect "c10, 4 copies" "+87.13" "$(excess $map 4 | sed 's/.* //')"
	# With the weights that cure it, the small one has a part of 41 again.
	for size in 2 3; do
		expect "c10, cured for $size" "10.0000 1.0000" "$("$maptool" spread \
			"$maps/c10fix-10-10-10-10-1-rep$size.json" --rule r --size $size \
			--inputs 0-0 --report csv | ends expected_share 41)"
	done
}

c37() {
	map=$maps/c37-ec4p2-8-unequal-dcs.json
	levels=$("$maptool" spread "$map" --rule ec42 --size 6 --level datacenter --report csv \
		--table domains)
	expect "c37, smallest and biggest" "0.7131 0.7825" \
		"$(echo "$levels" | ends expected_share 6)"
	expect "c37, by weight" "0.6751 0.8243" "$(echo "$levels" | ends target_share 6)"
	# What the rule draws can't be evened out inside of a datacenter; a shard in 1024 inputs.
	expect "c37, drawing" "0.0380 -0.0418" \
		"$(echo "$levels" | ends excess_multi_pick_shards 0.0009765625)"
	expect "c37, the limit" "100.00 exact" "$(limit "$map" ec42 6)"
}

limit() { # MAP RULE SIZE: how much of all the space can be used
	"$maptool" spread "$1" --rule "$2" --size "$3" --full-ratio 1 --report csv \
		--table summary | columns limit_percent limit_basis |
		awk '{ printf "%.2f %s\n", $1, $2 }'
}

# Other people's data, which is not in this tree. Each PG gets as many GiB as its number says.
real() {
	folder=$(dirname "$0")/../../../shared/cases/real
	name=$folder/g1-88osd-4096pg
	[ -f "$name.up.tsv" ] || return
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	awk '
		function value(hex,    i, n) {
			for (i = 1; i <= length(hex); i++)
				n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		/^[0-9]+[.]/ {
			split($1, id, ".")
			gib = 1 + value(id[2]) % 13
			printf "%s{\"pgid\":\"%s\",\"stat_sum\":{\"num_bytes\":%.0f," \
				"\"num_objects\":1}}", n++ ? "," : "{\"pg_stats\":[", $1,
				gib * 1073741824 >dump
			count = split($2, up, /[^0-9]+/)
			for (i = 1; i <= count; i++) if (up[i] != "") held[up[i]] += gib
		}
		END {
			print "]}" >dump
			for (d in held) print d, held[d]
		}' dump="$work/pgs.json" "$name.up.tsv" | sort -n >"$work/held"
	"$maptool" spread "$name.crush.json" --join "$name.osd-dump.json" \
		--join "$work/pgs.json" --report csv >"$work/devices.csv" 2>/dev/null
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["actual_shards"] > 0 {
			print $at["device"], $at["bytes"] / 1073741824
		}' "$work/devices.csv" | sort -n >"$work/found"
	expect "G1, bytes of each device" "$(cat "$work/held")" "$(cat "$work/found")"
	expect "G1, parts that don't add up" 0 "$(awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^excess_/) at[$i] = i }
		NR > 1 {
			sum = 0
			for (name in at) sum += name == "excess_shards" ? -$at[name] : $at[name]
			bad += sum > 1e-9 || sum < -1e-9 || $at["excess_pg_size_shards"] == 0
		}
		END { print bad + 0 }' "$work/devices.csv")"
}

site1_last=23
for group in ${*:-c01 c02 c04 c06 c08 c10 c11 c15 c24 c26 c27 c32 c37}; do
	$group
done
echo "$checks checks, $failures failed"
[ "$checks" -gt 0 ] || exit 77
[ "$failures" -eq 0 ]
