#!/bin/sh
# SPDX-License-Identifier: MIT
# daemon.sh SOURCE BUILD COMPILER [FLAGS]: builds daemon.c against an installed copy, and swaps maps
# under it: whole answers of one map or the other, at any time, and a broken map changes nothing.
set -eu

source=$1
build=$2
compiler=$3
flags=${4:-}
here=$(cd "$(dirname "$0")" && pwd)

objects=200
swaps=100

work=$(mktemp -d)
daemon=
finish()
{
	[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || :
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

fail()
{
	echo "$*"
	echo "the daemon's messages end:"
	tail -n 5 "$work/messages"
	exit 1
}

build_daemon()
{
	prefix=$work/prefix
	cmake --install "$build" --prefix "$prefix" >/dev/null
	pc=$(find "$prefix" -name strew.pc)
	PKG_CONFIG_PATH=${pc%/*}
	export PKG_CONFIG_PATH
	libdir=$(pkg-config --variable=libdir strew)
	"$compiler" -std=c11 -Wall -Wextra -Werror -pthread $flags "$here/daemon.c" \
		-o "$work/daemon" $(pkg-config --cflags --libs strew) -Wl,-rpath,"$libdir"
}

# The two maps share no device, so no part of an answer can be of both.
make_maps()
{
	mkdir "$work/maps"
	cp "$source/maps/flat.json" "$work/one.json"
	sed 's/"epoch": 1/"epoch": 2/; s/"0-3"/"10-13"/; s/"4-5"/"14-15"/' "$work/one.json" \
		>"$work/two.json"
	sed 's/take default/take defalut/' "$work/two.json" >"$work/broken.json"
	seq -f 'object-%g' "$objects" >"$work/objects"
	sed 's/^/place /' "$work/objects" >"$work/requests"
	for map in one two; do
		LD_LIBRARY_PATH=$libdir "$prefix/bin/maptool" place "$work/$map.json" --pool data \
			--objects-from "$work/objects" --report csv >"$work/$map.csv"
		awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print "ok " $column["object"] " " $column["devices"] }' "$work/$map.csv" |
			sort >"$work/$map.answers"
		[ "$(wc -l <"$work/$map.answers")" -eq "$objects" ]
	done
}

# replace MAP: by rename, as its file says.
replace()
{
	cp "$work/$1.json" "$work/maps/new"
	mv "$work/maps/new" "$work/maps/map.json"
}

# hear COUNT TEXT: wait until the daemon has said it so many times.
hear()
{
	for try in $(seq 300); do
		[ "$(grep -c -F -e "$2" "$work/messages")" -lt "$1" ] || return 0
		sleep 0.1
	done
	fail "the daemon does not say: $2"
}

# receive COUNT: so many answers since the last time, sorted, in received.
receive()
{
	for try in $(seq 300); do
		[ "$(wc -l <"$work/answers")" -lt $((got + $1)) ] || break
		sleep 0.1
	done
	tail -n +$((got + 1)) "$work/answers" | sort >"$work/received"
	got=$(wc -l <"$work/answers")
}

# asked_all MAP: the answers are the map's.
asked_all()
{
	cat "$work/requests" >&3
	receive "$objects"
	cmp -s "$work/$1.answers" "$work/received" ||
		fail "not as $1 has it: $(comm -3 "$work/$1.answers" "$work/received" | head -n 1)"
}

build_daemon
make_maps
replace one
mkfifo "$work/input"
: >"$work/answers" >"$work/messages" # read below, maybe before the daemon has begun
"$work/daemon" "$work/maps/map.json" data <"$work/input" >"$work/answers" 2>"$work/messages" &
daemon=$!
exec 3>"$work/input"
got=0

asked_all one

echo 'where object' >&3
receive 1
grep -q -x 'error where object: no such request' "$work/received" || fail "no word of the mistake"

replace two
hear 1 'epoch 2'
asked_all two

replace broken
hear 1 'the old map stays in force'
hear 1 'defalut'
asked_all two

# Requests without a pause, for as long as maps are swapped, now and then for a broken one.
while [ ! -e "$work/enough" ]; do
	cat "$work/requests"
	echo >>"$work/rounds"
done >&3 &
for swap in $(seq "$swaps"); do
	case $((swap % 5)) in
	0) replace broken ;;
	1 | 3) replace one ;;
	*) replace two ;;
	esac
done
touch "$work/enough"
wait $!
asked=$((objects * $(wc -l <"$work/rounds")))
receive "$asked"
[ "$(wc -l <"$work/received")" -eq "$asked" ] || fail "answers are missing"
sort -m -u "$work/one.answers" "$work/two.answers" >"$work/any.answers"
uniq "$work/received" | comm -23 - "$work/any.answers" >"$work/strange"
[ ! -s "$work/strange" ] || fail "this is of neither map: $(head -n 1 "$work/strange")"

count=$(grep -c 'epoch 1' "$work/messages" || :)
replace one
hear $((count + 1)) 'epoch 1'
asked_all one

exec 3>&-
wait "$daemon" || fail "the daemon does not end well"
daemon=

# Eight shards on six devices: two have none.
sed 's/firstn/indep/; s/"type": "replicated"/"type": "erasure"/; s/"size": 3/"size": 8/' \
	"$work/one.json" >"$work/wide.json"
echo 'place object' | "$work/daemon" "$work/wide.json" data >"$work/answers" ||
	fail "the daemon does not take a wide pool"
tr ' ' '\n' <"$work/answers" | sort | tr '\n' ' ' >"$work/received"
[ "$(cat "$work/received")" = "- - 0 1 2 3 4 5 object ok " ] ||
	fail "of a wide pool it says: $(cat "$work/answers")"
echo "$got answers, $(grep -c 'is in force' "$work/messages") maps swapped in," \
	"$(grep -c 'stays in force' "$work/messages") refused"
