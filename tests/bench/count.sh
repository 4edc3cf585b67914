#!/bin/sh
# SPDX-License-Identifier: MIT
# count.sh BENCH_COUNT: instructions for a mapping of three replicas on map b, which no neighbour
# changes: counted by valgrind, which can't run AVX-512. From one number of inputs to twice as many,
# so that what else the program does is left out. Fails over a limit: what it was, and 15 % more.
set -eu

program=$1
inputs=2048
command -v valgrind >/dev/null || {
	echo "no valgrind (apt-get install valgrind)"
	exit 77
}

# instructions KERNEL MODE INPUTS
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
		awk '$2 == "Collected" { print $4 }'
}

# limit KERNEL MODE LIMIT
limit()
{
	once=$(instructions "$1" "$2" $inputs)
	twice=$(instructions "$1" "$2" $((2 * inputs)))
	[ -n "$once" ] && [ -n "$twice" ] || {
		echo "valgrind can't run $1"
		exit 77
	}
	mapping=$(((twice - once) / inputs))
	echo "$1 $2: $mapping instructions a mapping, of $3"
	[ "$mapping" -le "$3" ] || failed=yes
}

failed=no
limit vec128 batch 13700
limit vec128 single 19200
limit avx2 batch 6900
limit avx2 single 11100
[ $failed = no ]
