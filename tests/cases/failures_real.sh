#!/bin/sh
# SPDX-License-Identifier: MIT
# failures_real.sh MAPTOOL FOLDER: failures in a production cluster of which each up set is
# recorded, with bytes of each PG from a joined table: what is lost, counted from the record.
# Skipped where the cluster isn't beside this tree.
set -u
maptool=$1
name=$2/g1-88osd-4096pg
[ -f "$name.up.tsv" ] || exit 77
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# A table as `ceph pg dump -f json` has it: between 1 and 1.5 GB in each PG.
awk -F '\t' -v dump="$work/pg-dump.json" -v list="$work/bytes" '
	BEGIN { printf "{\"pg_map\":{\"pg_stats\":[" >dump }
	NR > 1 {
		bytes = 1000000000 + NR * 7919 % 4999 * 100000
		printf("%s{\"pgid\":\"%s\",\"stat_sum\":{\"num_bytes\":%d,\"num_objects\":9}}",
			(NR > 2 ? "," : ""), $1, bytes) >dump
		print $1, bytes >list
	}
	END { print "]}}" >dump }' "$name.up.tsv"

# NAME SHARDS PGS BYTES: what each device and each host has.
awk -v bytes="$work/bytes" '
	FILENAME == bytes { size[$1] = $2; next }
	FILENAME ~ /crush.txt$/ {
		if ($1 == "host") host = $2
		if ($1 == "item" && $2 ~ /^osd/ && !($2 in of)) of[$2] = host
		next
	}
	FNR > 1 {
		n = split($2, set, ",")
		for (i = 1; i <= n; i++) {
			device = "osd." set[i]
			shards[device]++; shards[of[device]]++
			pgs[device]++; pgs[of[device]]++
			held[device] += size[$1]; held[of[device]] += size[$1]
		}
	}
	END { for (at in shards) printf "%s %d %d %.0f\n", at, shards[at], pgs[at], held[at] }' \
	"$work/bytes" "$name.crush.txt" "$name.up.tsv" | sort >"$work/wanted"

fail() { # OPTION...: a table
	"$maptool" fail "$name.crush.json" --join "$name.osd-dump.json" \
		--join "$work/pg-dump.json" --odds 3 --report csv "$@"
}

for type in device host; do
	fail --each $type
done | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	$1 != "failed" {
		print $1, $at["shards_lost"], $at["pgs_degraded"], $at["moved_bytes"]
		if ($at["moved_shards"] != $at["shards_lost"] || $at["pgs_unhealable"] > 0)
			print $1, "is not just replaced"
	}' | sort >"$work/got"

diff "$work/wanted" "$work/got" || exit 1
[ "$(wc -l <"$work/got")" -eq 98 ] || { echo "not 88 devices and 10 hosts"; exit 1; }
# Sets of three devices, each fatal alone: their number by all choices of three.
sets=$(awk -F '\t' 'NR > 1 {
	split($2, s, ","); a = s[1] + 0; b = s[2] + 0; c = s[3] + 0
	if (a > b) { t = a; a = b; b = t }
	if (b > c) { t = b; b = c; c = t }
	if (a > b) { t = a; a = b; b = t }
	if (!seen[a, b, c]++) n++
} END { print n, n / (88 * 87 * 86 / 6) }' "$name.up.tsv")
odds=$(fail --item host01 --table odds | awk -F, '$1 == 3 { print $2 / 100 }')
number=$(fail --item host01 --table summary | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "device_sets") at = i }
	NR == 2 { print $at }')
[ "$sets" = "$number $odds" ] || { echo "sets and odds: $sets, got $number $odds"; exit 1; }
