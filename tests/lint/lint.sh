# SPDX-License-Identifier: MIT
# What the checks share. Each is run as CHECK.sh SOURCE FACTS and sources this file first; its
# functions print what they find, one FILE:LINE: sentence a line, and lint_end fails if any did.

set -eu
export LC_ALL=C

source=$1
facts=$2
here=$(cd "$(dirname "$0")" && pwd)
[ -r "$facts" ]
cd "$source"

# fact NAME: its values, one a line.
fact()
{
	sed -n "s/^$1 //p" "$facts"
}

# c_files FOLDER...: C sources and headers.
c_files()
{
	find "$@" -name '*.[ch]' | sort
}

# code_of FILE...: FILE:LINE:TEXT without comments and the insides of strings.
code_of()
{
	[ $# -eq 0 ] || awk -f "$here/code.awk" "$@"
}

# includes_of FILE...: FILE:LINE:HEADER, the header with its quotes or angle brackets.
includes_of()
{
	[ $# -eq 0 ] || awk '/^[ \t]*#[ \t]*include[ \t]/ {
		header = $0
		sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
		sub(/[ \t]*\/\*.*/, "", header)
		print FILENAME ":" FNR ":" header
	}' "$@"
}

# symbols: MODULE OBJECT CLASS SECTION NAME of every symbol in the library's objects.
symbols()
{
	{
		grep '^object ' "$facts"
		nm --format=sysv $(fact object | cut -d ' ' -f 2)
	} | awk '
	/^object / { module[$3] = $2; next }
	/^Symbols from / { object = substr($3, 1, length($3) - 1); next }
	!/^Name/ && split($0, part, "|") == 7 {
		for (i in part)
			gsub(/ /, "", part[i])
		print module[object], object, part[3], part[7] == "" ? "-" : part[7], part[1]
	}'
}

# source_line OBJECT NAME: where an object's source, which lies below lib, has a name.
source_line()
{
	file=lib/$(printf '%s\n' "$1" | sed 's|.*/lib/||; s|CMakeFiles/[^/]*/||; s|\./||; s|\.o$||')
	line=$(grep -n -w -e "$2" "$file" 2>/dev/null | head -n 1 | cut -d: -f1) || :
	echo "$file:${line:-1}"
}

# A check needs what the build makes: check_built FACT...
check_built()
{
	for name in "$@"; do
		fact "$name" | while read -r line; do
			[ -f "${line##* }" ] || echo "${line##* }:1: is not built"
		done
	done
}

# lint_end FINDINGS
lint_end()
{
	[ -z "$1" ] || {
		printf '%s\n' "$1"
		exit 1
	}
}
