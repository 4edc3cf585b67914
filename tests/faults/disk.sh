#!/bin/sh
# SPDX-License-Identifier: MIT
# disk.sh MAPTOOL MAPS: what can't be written is told, with exit code 4, and leaves the old file as
# it was and nothing beside it.

maptool=$1
maps=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
failed=0

fail()
{
	echo "FAILED: $*"
	failed=$((failed + 1))
}

# Some 200 KB.
place()
{
	"$maptool" place "$maps/three-hosts.json" --rule 0 --size 3 --inputs 0-9999 "$@"
}

# check WHAT CODE MESSAGE: an exit code of 4, and in $work/err the reason.
check()
{
	[ "$2" -eq 4 ] || fail "$1: exit code $2"
	grep -q "can't be written: $3\$" "$work/err" || fail "$1: $(cat "$work/err")"
}

# check_folder WHAT FOLDER: only the file as it was is there.
check_folder()
{
	[ "$(ls -A "$2")" = file ] || fail "$1: left behind: $(ls -A "$2")"
	[ "$(cat "$2/file")" = old ] || fail "$1: the old file has changed"
}

for report in text json csv html; do
	if [ -c /dev/full ]; then
		place --report $report >/dev/full 2>"$work/err"
		check "$report, a full disk behind standard output" $? "No space left on device"
		place --report $report -o /dev/full 2>"$work/err"
		check "$report, a full device" $? "No space left on device"
	fi
	place --report $report >&- 2>"$work/err"
	check "$report, standard output closed" $? "Bad file descriptor"

	mkdir -p "$work/limited"
	echo old >"$work/limited/file"
	(ulimit -f 32 && place --report $report -o "$work/limited/file") 2>"$work/err"
	check "$report, a file that may not grow" $? "File too large"
	check_folder "$report, a file that may not grow" "$work/limited"
done

# A disk of 64 KB, where we may mount one that nobody else sees.
mkdir "$work/small"
cat >"$work/on-small-disk.sh" <<'SCRIPT'
mount -t tmpfs -o size=64k none "$1/small" 2>/dev/null || exit 77
cd "$1/small" && echo old >file
"$2" place "$3/three-hosts.json" --rule 0 --size 3 --inputs 0-9999 -o file 2>"$1/err"
echo $? >"$1/code"
cp file "$1/kept" && ls -A >"$1/list"
SCRIPT
if unshare --mount sh "$work/on-small-disk.sh" "$work" "$maptool" "$maps" 2>/dev/null; then
	check "a small disk" "$(cat "$work/code")" "No space left on device"
	mkdir "$work/copy" && mv "$work/kept" "$work/copy/file"
	check_folder "a small disk" "$work/copy"
	[ "$(cat "$work/list")" = file ] || fail "a small disk: $(cat "$work/list")"
else
	echo "no disk of our own can be mounted here: that part is left out"
fi

# Closed streams are no reason to fail when none of them is used.
place -o "$work/apart" <&- >&- 2>&- || fail "standard streams closed, with -o: exit code $?"
[ "$(head -c 1 "$work/apart" | wc -c)" -eq 1 ] || fail "standard streams closed: nothing written"

[ $failed -eq 0 ]
