#!/bin/sh
# SPDX-License-Identifier: MIT
# The dependency rule of doc/architecture.md, section 3.
. "$(dirname "$0")/lint.sh"

placing="lib/hash lib/flat lib/select lib/compile lib/rule lib/place"

# An object may need symbols of its own module and of those it names.
check_symbols()
{
	{
		sed -n 's/^uses /uses /p' "$facts"
		symbols
	} | awk '
	$1 == "uses" { uses[$2, $3] = 1; next }
	$3 == "U" { needs[++n] = $0; next }
	$3 ~ /^[A-Z]$/ { home[$5] = $1 }
	END {
		for (i = 1; i <= n; i++) {
			split(needs[i], need, " ")
			owner = home[need[5]]
			if (owner != "" && owner != need[1] && !((need[1], owner) in uses))
				print need[2], need[5], need[1], owner
		}
	}' | while read -r object symbol module owner; do
		echo "$(source_line "$object" "$symbol"): $symbol is of module $owner," \
			"which $module does not use"
	done
}

check_globals()
{
	symbols | awk '
	$4 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $4 !~ /^\.data\.rel\.ro/ &&
	$5 !~ /^(\.L|__odr_asan|__asan|__sanitizer)/ { print $2, $5, $4 }' |
	while read -r object symbol section; do
		name=${symbol%%.*}
		echo "$(source_line "$object" "$name"): $name can be written ($section)"
	done
}

# The table of section 3 says what the CMake files say.
check_table()
{
	{
		cat "$facts"
		awk '/^## /{ on = /^## 3\./ } on { print "doc " FNR " " $0 }' doc/architecture.md
	} | awk '
	$1 == "module" { built[$2] = " " ; order[++n] = $2 }
	$1 == "uses" { built[$2] = built[$2] $3 " " }
	$1 == "doc" && /^doc [0-9]+ \| `[a-z]+` \|/ {
		split($0, cell, "|")
		gsub(/[ `]/, "", cell[2])
		gsub(/[,–]/, " ", cell[3])
		gsub(/[^a-z ]/, "", cell[3])
		gsub(/ +/, " ", cell[3])
		if (cell[2] == "maptool")
			next
		line[cell[2]] = $2
		if (cell[3] != built[cell[2]])
			print "doc/architecture.md:" $2 ": " cell[2] " uses" built[cell[2]] \
				"by its CMakeLists.txt, not" cell[3]
	}
	END {
		for (i = 1; i <= n; i++)
			if (!(order[i] in line))
				print "doc/architecture.md:1: module " order[i] \
				" is not in section 3"
	}'
}

check_includes()
{
	includes_of $(c_files lib tools) | while IFS=: read -r file line header; do
		folder=${file%/*}
		case $header in
		\"*/*) echo "$file:$line: include $header by its plain name" ;;
		\"*_priv.h\")
			name=${header#\"}
			[ -f "$folder/${name%\"}" ] ||
				echo "$file:$line: $header is private to another folder"
			;;
		esac
		case $header:$file in
		'<jansson.h>':lib/format/* | '<jansson.h>':lib/report/*) ;;
		'<jansson.h>':*) echo "$file:$line: jansson is for format and report" ;;
		*.gperf.h\":lib/format/* | *.gperf.h\":tools/maptool/*) ;;
		*.gperf.h\":*) echo "$file:$line: gperf is for format and maptool" ;;
		\"*:tools/maptool/*)
			name=${header#\"}
			[ -f "tools/maptool/${name%\"}" ] ||
				echo "$file:$line: maptool sees no private header: $header"
			;;
		esac
	done
	find lib tools -name '*.gperf' | while read -r file; do
		case $file in
		lib/format/* | tools/maptool/*) ;;
		*) echo "$file:1: gperf is for format and maptool" ;;
		esac
	done
}

# No function of the library prints, exits, reads the environment, starts a thread or a process, or
# takes memory by another way than the caller's allocator.
check_calls()
{
	code_of $(c_files lib) | awk -f "$here/words.awk" -v message="is not for the library" \
		-v words="stdout stderr environ" \
		-v calls="printf fprintf vprintf vfprintf dprintf puts fputs putchar putc fputc
		perror exit _exit _Exit abort assert atexit getenv secure_getenv setenv unsetenv
		putenv pthread_create thrd_create fork vfork system popen signal sigaction raise
		setlocale gets sprintf vsprintf strcpy stpcpy strcat strtok rand srand random
		alloca"
	code_of $(c_files lib | grep -v '^lib/base/base_alloc\.c$') |
		awk -f "$here/words.awk" -v message="does not use the caller's allocator" \
		-v calls="malloc calloc realloc reallocarray free strdup strndup asprintf vasprintf
		getline getdelim"
}

check_floating_point()
{
	exceptions='select_straw\.c|study_(carp|jump|shares)\.c'
	exceptions="$exceptions|straw2_(sure|avx512|avx2|vec128|scalar)\\.c"
	exceptions="$exceptions|straw2_(kernel|lanes)\\.h"
	set -- $(c_files $placing | grep -vE "^lib/select/($exceptions)\$")
	code_of "$@" | awk -f "$here/words.awk" \
		-v message="is floating point, and placements are decided here" \
		-v words="float double _Float16 _Float32 _Float64 __float128 FLT_MAX DBL_MAX" \
		-v calls="log log2 log10 log1p exp exp2 pow sqrt cbrt floor ceil round trunc rint
		lround llround fabs fmod ldexp frexp scalbn fma strtod strtof atof"
	code_of "$@" | awk -F: '{
		text = $0
		sub(/^[^:]*:[0-9]+:/, "", text)
		if (text ~ /(^|[^A-Za-z0-9_.])([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+[eE][-+]?[0-9]+)/ ||
		    text ~ /<(math|float|fenv|tgmath)\.h>/)
			print $1 ":" $2 ": floating point, and placements are decided here"
	}'
}

lint_end "$(check_built object)"
lint_end "$(
	check_symbols
	check_globals
	check_table
	check_includes
	check_calls
	check_floating_point
)"
