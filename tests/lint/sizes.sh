#!/bin/sh
# SPDX-License-Identifier: MIT
# No function over 80 lines, no file over 600, and most functions are short. Generated files, which
# say "Made by" on their second line, don't count.
. "$(dirname "$0")/lint.sh"

written()
{
	find "$@" -type f \( -name '*.[ch]' -o -name '*.gperf' -o -name '*.sh' -o -name '*.awk' \
		-o -name '*.js' -o -name '*.mjs' -o -name '*.css' \) |
		sort | while read -r file; do
		sed -n 2p "$file" | grep -q 'Made by' || echo "$file"
	done
}

check_files()
{
	for file in $(written lib tools tests); do
		lines=$(wc -l <"$file")
		[ "$lines" -le 600 ] || echo "$file:600: the file has $lines lines, over 600"
	done
}

check_functions()
{
	awk '$2 > 80 { print $1 ": the function has " $2 " lines, over 80" }' "$lengths"
}

# describe FOLDER: how long its functions are.
describe()
{
	grep "^$1/" "$lengths" | sort -n -k 2 | awk -v folder="$1" '
	{ length_of[NR] = $2; place = $1 }
	END {
		if (NR == 0)
			exit
		median = length_of[int((NR + 1) / 2)]
		printf "%s: %d functions, median %d lines, 90 %% under %d, longest %d (%s)\n",
			folder, NR, median, length_of[int((NR * 9 + 9) / 10)] + 1, $2, place
		if (median > 12)
			printf "%s:1: the median function has %d lines, over 12\n", folder, median
	}'
}

lengths=$(mktemp)
trap 'rm -f "$lengths"' EXIT
code_of $(written lib tools tests | grep '\.[ch]$') | awk -f "$here/functions.awk" >"$lengths"

summary=$(for folder in lib tools tests; do describe "$folder"; done)
printf '%s\n' "$summary" | grep -v '^[a-z]*:1: ' || :
lint_end "$(
	check_files
	check_functions
	printf '%s\n' "$summary" | grep '^[a-z]*:1: '
)"
