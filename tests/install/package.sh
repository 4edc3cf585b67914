#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh SOURCE BUILD VERSION COMPILER [FLAGS]: what is installed is complete, names no folder
# of the build, and works when it has been staged and moved: the README's program, by find_package.
set -eu

source=$1
build=$2
version=$3
compiler=$4
flags=${5:-}
here=$(cd "$(dirname "$0")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/strew >/dev/null
prefix=$work/moved
mv "$work/stage/opt/strew" "$prefix"

fail()
{
	echo "$@"
	exit 1
}

# check_files: each file is one of these, and each of these is there.
check_files()
{
	lib='^lib[a-z0-9_/-]*'
	cat >"$work/patterns" <<-END
	^bin/maptool$
	^include/strew/[a-z]*\.h$
	$lib/libstrew\.so$
	$lib/libstrew\.so\.${version%.*}$
	$lib/libstrew\.so\.$version$
	$lib/cmake/strew/strew-config\.cmake$
	$lib/cmake/strew/strew-config-[a-z]*\.cmake$
	$lib/cmake/strew/strew-config-version\.cmake$
	$lib/pkgconfig/strew\.pc$
	^share/bash-completion/completions/maptool$
	^share/doc/strew/[a-zA-Z0-9_./-]*$
	^share/man/man1/maptool\.1$
	^share/man/man1/maptool-[a-z]*\.1$
	END
	(cd "$prefix" && find . ! -type d | sed 's|^\./||') >"$work/files"
	! grep -v -f "$work/patterns" "$work/files" || fail "should not be installed"
	while read -r pattern; do
		grep -q -e "$pattern" "$work/files" || fail "nothing installed is $pattern"
	done <"$work/patterns"
	for header in "$source"/lib/include/strew/*.h; do
		grep -q -x "include/strew/${header##*/}" "$work/files" ||
			fail "${header##*/} is not installed"
	done
}

# is_program FILE: a program or a shared library.
is_program()
{
	[ "$(head -c 4 "$1" | tail -c 3)" = ELF ]
}

# check_paths: no file names a folder of ours; sanitizers write the sources' names into programs.
check_paths()
{
	find "$prefix" -type f | while read -r file; do
		copy=$file
		if is_program "$file"; then
			readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -v '\[$ORIGIN/[^:]*\]$' &&
				fail "$file looks for libraries where it was built"
			[ -z "$flags" ] || continue
			copy=$work/copy
			strip -o "$copy" "$file"
		fi
		! grep -q -F -e "$build" -e "$source/lib" -e "$source/tools" "$copy" ||
			fail "$file names a folder of the build"
	done
}

check_version()
{
	library=$(find "$prefix" -name libstrew.so)
	soname=$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
	[ "$soname" = "libstrew.so.${version%.*}" ] || fail "the soname is $soname"
	# Made for a folder where the loader looks, maptool can't find it elsewhere.
	readelf -d "$prefix/bin/maptool" | grep -q -F '$ORIGIN' ||
		export LD_LIBRARY_PATH="${library%/*}"
	[ "$("$prefix/bin/maptool" version)" = "maptool $version (libstrew $version)" ] ||
		fail "maptool and libstrew are not $version"
}

# configure WANTED: a project that asks for this version of strew.
configure()
{
	rm -rf "$work/project"
	mkdir "$work/project"
	cp "$work/programs/README-1.c" "$work/project/place.c"
	cp "$work/programs/README-1.c" "$work/project/place.cc"
	cat >"$work/project/CMakeLists.txt" <<-END
	cmake_minimum_required(VERSION 3.20)
	project(stranger LANGUAGES $languages)
	find_package(strew $1 REQUIRED)
	link_libraries(strew::strew)
	add_compile_options(-Wall -Wextra -pedantic -Werror)
	set(CMAKE_C_EXTENSIONS OFF)
	foreach(standard 99 11)
	  add_executable(c\${standard} place.c)
	  set_target_properties(c\${standard} PROPERTIES C_STANDARD \${standard})
	endforeach()
	if(CMAKE_CXX_COMPILER)
	  add_executable(cxx place.cc)
	endif()
	END
	cmake -G "$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")" \
		-S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$prefix" \
		-DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" \
		-DCMAKE_CXX_FLAGS="$flags" >"$work/log" 2>&1
}

check_find_package()
{
	mkdir "$work/programs"
	(cd "$source" && awk -v to="$work/programs" -f "$here/programs.awk" README.md)
	languages=C
	programs="c99 c11"
	if command -v c++ >/dev/null; then
		languages="C CXX"
		programs="$programs cxx"
	fi
	! configure 0.0 || fail "find_package takes $version for 0.0"
	! configure 99 || fail "find_package takes $version for 99"
	configure "${version%.*}" && cmake --build "$work/project/build" >>"$work/log" 2>&1 || {
		cat "$work/log"
		fail "a project with find_package(strew) does not build"
	}
	cp "$source/maps/flat.json" "$work/cluster.json"
	for program in $programs; do
		(cd "$work" && "project/build/$program") >"$work/printed" || fail "$program fails"
		diff "$work/programs/README-1.output" "$work/printed" ||
			fail "$program does not print what the README says"
	done
}

check_files
check_paths
check_version
check_find_package
