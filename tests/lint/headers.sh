#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as strict C99 and as C++.
. "$(dirname "$0")/lint.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(fact include)

# compile_alone HEADER COMPILER FLAG...: its first message if it doesn't.
compile_alone()
{
	header=$1
	shift
	printf '#include <strew/%s>\ntypedef int alone;\n' "${header##*/}" >"$work/alone.c"
	"$@" -pedantic -Wall -Wextra -Werror -Ilib/include -I"$include" -fsyntax-only \
		"$work/alone.c" >"$work/messages" 2>&1 ||
		echo "$header:1: does not compile alone: $(grep -m 1 error "$work/messages")"
}

cxx=
for name in ${CXX:-} c++ g++ clang++; do
	[ -n "$cxx" ] || cxx=$(command -v "$name") || :
done
[ -n "$cxx" ] || echo "no C++ compiler: headers checked as C only"

lint_end "$(
	for header in lib/include/strew/*.h "$include"/strew/*.h; do
		compile_alone "$header" "$(fact compiler)" -std=c99
		[ -z "$cxx" ] || compile_alone "$header" "$cxx" -x c++
	done
)"
