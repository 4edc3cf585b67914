#!/bin/sh
# SPDX-License-Identifier: MIT
# The checks can fail: break a copy of the tree in every way that they are for, and see that each is
# told, with its place. And the build refuses what doc/architecture.md says it refuses.
. "$(dirname "$0")/lint.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=$(fact compiler)
tried=0
failed=0

# fresh: a new copy of the tree in $tree, and of the facts in $work/facts.
fresh()
{
	tree=$work/tree
	rm -rf "$tree"
	mkdir -p "$tree/tests"
	cp -r "$source/lib" "$source/tools" "$source/doc" "$tree"
	cp -r "$here" "$tree/tests"
	cp "$facts" "$work/facts"
}

# tells CHECK SENTENCE...: the check fails on the tree as it is now, and prints each sentence.
tells()
{
	check=$1
	shift
	! sh "$here/$check.sh" "$tree" "$work/facts" >"$work/out" 2>&1 || : >"$work/out"
	for sentence in "$@"; do
		tried=$((tried + 1))
		grep -q -F -e "$sentence" "$work/out" || {
			echo "lint.$check passes or does not say: $sentence"
			failed=$((failed + 1))
		}
	done
}

# accepts CHECK: it passes.
accepts()
{
	tried=$((tried + 1))
	sh "$here/$1.sh" "$tree" "$work/facts" >"$work/out" 2>&1 || {
		echo "lint.$1 fails, and should not"
		sed 's/^/    /' "$work/out"
		failed=$((failed + 1))
	}
}

# source_file FILE: a new source in the tree, its text from standard input.
source_file()
{
	{
		echo '/* SPDX-License-Identifier: MIT */'
		cat
	} >"$tree/$1"
}

# object MODULE FILE: the same, compiled and added to the module.
object()
{
	source_file "lib/$1/$2"
	objects=$work/lib/$1/CMakeFiles/strew_$1.dir
	mkdir -p "$objects"
	"$compiler" -fPIC -c "$tree/lib/$1/$2" -o "$objects/$2.o"
	echo "object $1 $objects/$2.o" >>"$work/facts"
}

# lines COUNT: so many statements.
lines()
{
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) print "\tx++;" }'
}

layers()
{
	fresh
	echo 'int map_stray(void) { return 1; }' | object map map_stray.c
	printf 'extern int map_stray(void);\nint rule_stray(void) { return map_stray(); }\n' |
		object rule rule_stray.c
	printf 'static int count;\nint hash_count(void) { return ++count; }\n' |
		object hash hash_count.c
	echo '#include "../map/map.h"' | source_file lib/rule/rule_a.c
	echo '#include "map_priv.h"' | source_file lib/compile/compile_a.c
	echo '#include <jansson.h>' | source_file lib/place/place_a.c
	echo '#include "words.gperf.h"' | source_file lib/map/map_a.c
	echo '#include "flat.h"' | source_file tools/maptool/cli_a.c
	echo 'const char *map_home(void) { return getenv("HOME"); }' | source_file lib/map/map_b.c
	echo 'void *map_take(void) { return malloc(1); }' | source_file lib/map/map_c.c
	echo 'float rule_share(void);' | source_file lib/rule/rule_b.c
	echo 'int place_half(int x) { return x * 0.5; }' | source_file lib/place/place_b.c
	echo '#include <math.h>' | source_file lib/hash/hash_a.c
	sed 's/^| `rule` | base,/& map,/; s/^| `flat` .*//' "$source/doc/architecture.md" \
		>"$tree/doc/architecture.md"
	tells layers \
		'rule_stray.c:2: map_stray is of module map, which rule does not use' \
		'lib/hash/hash_count.c:2: count can be written' \
		'lib/rule/rule_a.c:2: include "../map/map.h" by its plain name' \
		'lib/compile/compile_a.c:2: "map_priv.h" is private to another folder' \
		'lib/place/place_a.c:2: jansson is for format and report' \
		'lib/map/map_a.c:2: gperf is for format and maptool' \
		'tools/maptool/cli_a.c:2: maptool sees no private header: "flat.h"' \
		'lib/map/map_b.c:2: getenv is not for the library' \
		"lib/map/map_c.c:2: malloc does not use the caller's allocator" \
		'lib/rule/rule_b.c:2: float is floating point' \
		'lib/place/place_b.c:2: floating point' \
		'lib/hash/hash_a.c:2: floating point' \
		': rule uses base hash flat select by its CMakeLists.txt, not base map hash' \
		'doc/architecture.md:1: module flat is not in section 3'
}

exports()
{
	fresh
	sed 's/local:/strew_listed;\n&/' "$source/lib/strew.map" >"$tree/lib/strew.map"
	echo 'STREW_API int strew_declared(int a);' >>"$tree/lib/include/strew/map.h"
	echo 'int strew_open(void) { return 0; }' |
		"$compiler" -shared -fPIC -x c - -o "$work/open.so"
	sed "s|^library .*|library $work/open.so|" "$facts" >"$work/facts"
	tells exports \
		'strew_listed is not declared STREW_API' \
		'strew_declared is not in lib/strew.map' \
		'strew_declared is not exported by the library' \
		'strew_open is not declared STREW_API'
}

headers()
{
	fresh
	echo 'int strew_a(bool yes);' >>"$tree/lib/include/strew/pool.h"
	tells headers 'lib/include/strew/pool.h:1: does not compile alone'
}

sizes()
{
	fresh
	{ printf 'int map_long(int x)\n{\n'; lines 81; printf '}\n'; } |
		source_file lib/map/map_long.c
	lines 600 | source_file tests/long.c
	for name in a b c d e; do
		printf 'int %s(int x)\n{\n' "$name"
		lines 13
		printf '}\n'
	done | source_file tests/many.c
	tells sizes \
		'lib/map/map_long.c:3: the function has 81 lines' \
		'tests/long.c:600: the file has 601 lines' \
		'tests:1: the median function has 13 lines'
}

names()
{
	fresh
	echo 'int helper(void) { return 0; }' | object flat flat_stray.c
	echo 'typedef struct flat flat_t;' | source_file lib/flat/flat_type.h
	echo 'int x;' | source_file lib/flat/util.c
	tells names \
		'lib/flat/flat_stray.c:2: helper is shared and does not start with flat_' \
		'lib/flat/flat_type.h:2: no typedefs inside the library' \
		"lib/flat/util.c:1: the name does not start with its module's"
}

text()
{
	fresh
	echo 'int x;' >"$tree/lib/flat/flat_free.c"
	echo 'let x;' >"$tree/lib/report/web/page.js"
	printf '\t/* %090d */\nint x; \nint y;' 0 | source_file lib/flat/flat_wide.c
	tells text \
		'lib/flat/flat_free.c:1: the first line is not SPDX' \
		'lib/report/web/page.js:1: the first line is not SPDX' \
		'lib/flat/flat_wide.c:2: 104 columns, over 100' \
		'lib/flat/flat_wide.c:3: a space at the end' \
		'lib/flat/flat_wide.c:3: no end of line'
}

help()
{
	fresh
	rm -rf "$tree/doc/commands"
	mkdir -p "$tree/doc/commands" "$tree/tools/maptool"
	printf '%%%%\nplay, cmd_play\n%%%%\n' >"$tree/tools/maptool/commands.gperf"
	printf '#!/bin/sh\nprintf "usage: %%s MAP\\n\\n  --loud\\n" "${2:-maptool}"\n' \
		>"$work/maptool"
	chmod +x "$work/maptool"
	echo "maptool $work/maptool" >"$work/facts"
	tells help \
		'doc/commands/README.md:1: maptool has no page' \
		'doc/commands/play.md:1: maptool play has no page'
	printf '```\nusage: maptool MAP\n\n  --loud\n```\n' >"$tree/doc/commands/README.md"
	printf '# play\n\n```\nusage: play MAP\n\n  --loud\n```\n' >"$tree/doc/commands/play.md"
	accepts help
	sed -i 's/--loud/--soft/' "$tree/doc/commands/play.md"
	tells help 'doc/commands/play.md:4: differs from maptool help play'
	sed -i '/usage/d' "$tree/doc/commands/play.md"
	tells help 'doc/commands/play.md:1: has no block that starts "usage: play MAP"'
	touch "$tree/doc/commands/stop.md"
	tells help 'doc/commands/stop.md:1: maptool has no command stop'
}

docs()
{
	fresh
	printf '[a](style.md) [b](gone.md)\n`lib/gone.c`\n' >"$tree/doc/links.md"
	rm "$tree/lib/flat/flat.c"
	touch "$tree/lib/flat/flat_new.c"
	tells docs \
		'doc/links.md:1: there is no gone.md' \
		'doc/links.md:2: there is no lib/gone.c' \
		': there is no flat.c' \
		'doc/architecture.md:1: section 2 does not name flat_new.c'
}

# model LOW_USES INCLUDE HIGH_USES: build a library of two modules, low and above it high, in which
# low.c has an include.
model()
{
	model=$work/model
	rm -rf "$model"
	mkdir -p "$model/lib/low" "$model/lib/high"
	cat >"$model/CMakeLists.txt" <<-END
	cmake_minimum_required(VERSION 3.20)
	project(model LANGUAGES C)
	add_library(strew_settings INTERFACE)
	include("$source/tools/cmake/StrewModule.cmake")
	add_subdirectory(lib/low)
	add_subdirectory(lib/high)
	END
	echo 'int low(void);' >"$model/lib/low/low.h"
	printf '#include "%s"\nint low(void) { return 0; }\n' "$2" >"$model/lib/low/low.c"
	printf '#include "low.h"\nint high(void);\nint high(void) { return low(); }\n' \
		>"$model/lib/high/high.c"
	echo 'int high(void);' >"$model/lib/high/high.h"
	echo "strew_module(low USES $1 SOURCES low.c)" >"$model/lib/low/CMakeLists.txt"
	echo "strew_module(high USES $3 SOURCES high.c)" >"$model/lib/high/CMakeLists.txt"
	{
		cmake -S "$model" -B "$model/build" -DCMAKE_C_COMPILER="$compiler" \
			-DCMAKE_C_COMPILER_WORKS=1 && cmake --build "$model/build"
	} >"$work/out" 2>&1
}

# model_tells SENTENCE USES...: the model does not build, and says why.
model_tells()
{
	sentence=$1
	shift
	tried=$((tried + 1))
	! model "$@" || : >"$work/out"
	tr -s ' \n' ' ' <"$work/out" | grep -q -F -e "$sentence" || {
		echo "the model builds or does not say: $sentence"
		failed=$((failed + 1))
	}
}

build()
{
	tried=$((tried + 1))
	model "" low.h low || {
		echo "the model does not build, and should"
		sed 's/^/    /' "$work/out"
		failed=$((failed + 1))
	}
	model_tells 'module low uses high, which is not below it' high low.h low
	model_tells 'low.h: No such file' "" low.h ""
}

layers
exports
headers
sizes
names
text
help
docs
build
echo "$tried breaks tried, $failed not told"
[ "$failed" -eq 0 ]
