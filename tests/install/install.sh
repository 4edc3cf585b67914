#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh SOURCE BUILD COMPILER [FLAGS]: installs into an empty prefix, then tries what the
# README and the pages of doc/ show against the installed copy alone: builds each program, as C and
# as C++, runs it and each command, and compares what they print.
set -eu

source=$1
build=$2
compiler=$3
flags=${4:-}
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >/dev/null

pc=$(find "$prefix" -name strew.pc)
installed()
{
	PKG_CONFIG_PATH=${pc%/*} pkg-config "$@" strew
}

libdir=$(installed --variable=libdir)

# try_program PROGRAM COMPILER FLAG...: it builds without a warning and prints what its page says.
try_program()
{
	program=$1
	shift
	name=${program##*/}
	"$@" -Wall -Wextra -Werror $flags $(installed --cflags) "$program" \
		-o "$work/program" $(installed --libs) -Wl,-rpath,"$libdir"
	(cd "$work/run" && "$work/program" >"$work/printed") || {
		echo "$name fails"
		exit 1
	}
	[ ! -f "${program%.c}.output" ] || diff "${program%.c}.output" "$work/printed" || {
		echo "$name does not print what its page says"
		exit 1
	}
}

# try_command CONSOLE: the command after the dollar prints the rest.
try_command()
{
	sed 1d "$1" >"$work/wanted"
	(cd "$source" && PATH=$prefix/bin:$PATH LD_LIBRARY_PATH=$libdir \
		sh -c "$(sed -n '1s/^\$ //p' "$1")" >"$work/printed") || {
		echo "${1##*/} fails"
		exit 1
	}
	diff "$work/wanted" "$work/printed" || {
		echo "${1##*/} does not print what its page says"
		exit 1
	}
}

mkdir "$work/run" "$work/programs"
cp "$source/maps/flat.json" "$work/run/cluster.json"
for page in README.md maps/README.md $(cd "$source" && find doc -name '*.md'); do
	(cd "$source" && awk -v to="$work/programs" -f "$here/programs.awk" "$page")
done

cxx=
for candidate in c++ g++ clang++; do
	[ -n "$cxx" ] || cxx=$(command -v "$candidate") || :
done
[ -n "$cxx" ] || echo "no C++ compiler: programs built as C only"

count=0
for program in "$work"/programs/*.c; do
	try_program "$program" "$compiler" -std=c99
	try_program "$program" "$compiler" -std=c11
	[ -z "$cxx" ] || try_program "$program" "$cxx" -x c++
	count=$((count + 1))
done
for console in "$work"/programs/*.console; do
	try_command "$console"
	count=$((count + 1))
done
echo "$count programs and commands tried"

[ "$(installed --modversion)" = "$(sed -n 's/.*STREW_VERSION  *"\(.*\)"/\1/p' \
	"$prefix/include/strew/version.h")" ]
