#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source opens with its licence; no line is over 100 columns, ends in a space, or lacks its
# end.
. "$(dirname "$0")/lint.sh"

set -- $(find lib tools tests \( -name '*.[ch]' -o -name '*.gperf' -o -name '*.sh' -o \
	-name '*.awk' -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.js' -o -name '*.mjs' \
	-o -name '*.css' \) | sort)

check_licences()
{
	for file in "$@"; do
		case $file in
		*.[ch]) head -n 1 "$file" | grep -q '^/\* SPDX-License-Identifier: MIT \*/$' ;;
		*.css) head -n 1 "$file" | grep -q '^/\* SPDX-License-Identifier: MIT \*/$' ;;
		*.js | *.mjs) head -n 1 "$file" | grep -q '^// SPDX-License-Identifier: MIT$' ;;
		*.sh | *.awk) head -n 2 "$file" | grep -q '^# SPDX-License-Identifier: MIT$' ;;
		esac || echo "$file:1: the first line is not SPDX-License-Identifier: MIT"
	done
}

# A character is a byte that does not continue one; a tab goes to the next multiple of 8.
check_lines()
{
	for file in "$@"; do
		expand "$file" | awk -v file="$file" '
		{
			line = $0
			gsub(/[\200-\277]/, "", line)
			if (length(line) > 100)
				print file ":" FNR ": " length(line) " columns, over 100"
		}
		/[ \t]$/ { print file ":" FNR ": a space at the end" }'
		[ -z "$(tail -c 1 "$file")" ] || echo "$file:$(wc -l <"$file"): no end of line"
	done
}

lint_end "$(
	check_licences "$@"
	check_lines "$@"
)"
