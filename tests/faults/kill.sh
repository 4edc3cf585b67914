#!/bin/sh
# SPDX-License-Identifier: MIT
# kill.sh MAPTOOL MAPS: maptool is killed at fifty moments, from its start to its end. Each time the
# file is the old one or the new one, and whole; what else is there can be told by its name.

maptool=$1
maps=$2
kills=50
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
unfinished=0

# In place of the shell that runs it, lest only that be killed.
place()
{
	exec "$maptool" place "$maps/three-hosts.json" --rule 0 --size 3 --inputs 0-4999 \
		--threads 1 -o "$1"
}

nanoseconds()
{
	date +%s%N
}

start=$(nanoseconds)
(place "$work/new") || exit 1
duration=$(($(nanoseconds) - start))

mkdir "$work/here"
moment=0
while [ $moment -lt $kills ]; do
	rm -f "$work"/here/*
	echo old >"$work/here/file"
	place "$work/here/file" &
	# The last moments are after the end, as runs take unequal time.
	sleep "$(echo "$duration $moment $kills" | awk '{ print $1 / 1e9 * 1.2 * $2 / $3 }')"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	[ "$(cat "$work/here/file")" = old ] || cmp -s "$work/here/file" "$work/new" || {
		echo "FAILED: killed at moment $moment, the file is neither the old nor the new one"
		failed=$((failed + 1))
	}
	for other in "$work"/here/*; do
		case $other in
		*/file) ;;
		*/file.unfinished-??????) unfinished=$((unfinished + 1)) ;;
		*) echo "FAILED: killed at moment $moment, left behind: $other"
			failed=$((failed + 1)) ;;
		esac
	done
	moment=$((moment + 1))
done
echo "$kills kills, $unfinished of them while the file was written"
[ $unfinished -gt 0 ] || { echo "FAILED: no kill came while the file was written"; exit 1; }
[ $failed -eq 0 ]
