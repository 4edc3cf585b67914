#!/bin/sh
# SPDX-License-Identifier: MIT
# Names tell the module: files, symbols shared between files, and no typedef hides a struct.
. "$(dirname "$0")/lint.sh"

check_files()
{
	for file in lib/*/*.[ch]; do
		module=${file#lib/}
		module=${module%%/*}
		name=${file##*/}
		case $module:$name in
		include:*) ;;
		select:straw2_* | select:study_* | select:study.[ch]) ;;
		*:"$module".[ch] | *:"$module"_*) ;;
		*) echo "$file:1: the name does not start with its module's" ;;
		esac
	done
}

check_symbols()
{
	symbols | awk '
	$3 ~ /^[ABCDGRSTVW]$/ && $4 != "*UND*" && $5 !~ /^strew_/ && $5 != $1 &&
	index($5, $1 "_") != 1 && !($1 == "select" && $5 ~ /^(straw2|study)_/) &&
	$5 !~ /^(__odr_asan|__asan|__sanitizer)/ { print $2, $5, $1 }' |
	while read -r object symbol module; do
		echo "$(source_line "$object" "$symbol"): $symbol is shared and does not start" \
			"with ${module}_; make it static or rename it"
	done
}

check_typedefs()
{
	code_of $(c_files lib | grep -v '^lib/include/') | awk -F: '
	$3 ~ /^[ \t]*typedef[ \t]/ { print $1 ":" $2 ": no typedefs inside the library" }'
}

lint_end "$(check_built object)"
lint_end "$(
	check_files
	check_symbols
	check_typedefs
)"
