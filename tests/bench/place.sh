#!/bin/sh
# SPDX-License-Identifier: MIT
# place.sh MAPTOOL: how fast each kernel places beside Ceph's library, in seconds: the table, for
# the log, and a floor for each, under two thirds of what a busy machine shows. So a kernel that
# isn't used any more is found, and a neighbour on the same core is not. What is under its floor is
# measured up to three times.
set -eu

maptool=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# KERNEL MAP MODE FLOOR
cat >"$work/floors" <<'END'
avx512 a batch 5.5
avx512 b batch 8.5
avx512 c batch 8
avx512 e-mixed batch 6.5
avx512 tiny batch 4.5
avx512 a single 2.2
avx512 b single 4.5
avx512 e-mixed single 4
avx2 b batch 6.5
avx2 c batch 6
avx2 e-mixed batch 6
avx2 b single 3.6
vec128 b batch 4
vec128 b single 2.6
scalar b batch 1
END

# under_floor TABLE: which lines of the floors it doesn't keep, by the mean over its rules.
under_floor()
{
	awk -F, '
	FILENAME == ARGV[1] {
		split($0, word, " ")
		floor[word[1], word[2], word[3]] = word[4]
		next
	}
	($4, $1, $3) in floor { sum[$4, $1, $3] += $8; count[$4, $1, $3]++ }
	END {
		for (key in sum)
			if (sum[key] < floor[key] * count[key]) {
				split(key, word, SUBSEP)
				print word[1], word[2], word[3], sum[key] / count[key]
			}
	}' "$work/floors" "$1"
}

for kernel in avx512 avx2 vec128 scalar; do
	maps=$(awk -v kernel=$kernel '$1 == kernel { print $2 }' "$work/floors" | sort -u)
	for try in 1 2 3; do
		"$maptool" bench $maps --kernel $kernel --quick --report csv \
			>"$work/table" 2>"$work/said" || {
			grep -q "no kernel" "$work/said" && break
			cat "$work/said"
			exit 1
		}
		grep -q "no peer" "$work/said" && {
			cat "$work/said"
			exit 77
		}
		cut -d, -f1-4,6-10 "$work/table"
		under=$(under_floor "$work/table")
		[ -n "$under" ] || break
		echo "try $try: under the floor: $under"
	done
	[ "$try" -lt 3 ] || [ -z "${under:-}" ] || exit 1
done
