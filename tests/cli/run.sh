#!/bin/sh
# SPDX-License-Identifier: MIT
# Run the cases of a command:
#
#     run.sh MAPTOOL COMMAND [CASE...]             compare with what is expected
#     run.sh --update MAPTOOL COMMAND [CASE...]    make it what is expected; then read the diff
#
# A case is COMMAND/CASE.sh, run in the folder of this script, with $MAPTOOL the program and $WORK a
# folder of its own. CASE.out and CASE.err are what it prints and CASE.exit its exit code; a file
# that is not there stands for nothing printed, and for 0. A case that can't run here says why, and
# exits with 77: it is left out.

here=$(cd "$(dirname "$0")" && pwd)
update=no
[ "$1" = --update ] && { update=yes; shift; }
MAPTOOL=$1
command=$2
shift 2
case $MAPTOOL in
/*) ;;
*) MAPTOOL=$PWD/$MAPTOOL ;;
esac

export MAPTOOL LC_ALL=C TERM=dumb
unset STREW_KERNEL NO_COLOR
# The thread sanitizer would complain of threads that a signal has ended with the program.
export TSAN_OPTIONS="${TSAN_OPTIONS:-} report_thread_leaks=0"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$here" || exit 1

# run_case CASE: leaves out, err and exit in $scratch, those that hold nothing left out.
run_case()
{
	rm -rf "$scratch/work" "$scratch"/got.*
	mkdir "$scratch/work"
	WORK=$scratch/work sh "$command/$1.sh" </dev/null \
		>"$scratch/got.out" 2>"$scratch/got.err"
	echo $? >"$scratch/got.exit"
	for kind in out err; do
		[ -s "$scratch/got.$kind" ] || rm "$scratch/got.$kind"
	done
	[ "$(cat "$scratch/got.exit")" != 0 ] || rm "$scratch/got.exit"
}

check_case()
{
	good=yes
	for kind in out err exit; do
		wanted=$command/$1.$kind
		got=$scratch/got.$kind
		[ -f "$wanted" ] || wanted=/dev/null
		[ -f "$got" ] || got=/dev/null
		diff -u --label "wanted $1.$kind" --label "got $1.$kind" "$wanted" "$got" ||
			good=no
	done
	[ $good = yes ]
}

is_left_out()
{
	[ -f "$scratch/got.exit" ] && [ "$(cat "$scratch/got.exit")" = 77 ]
}

keep_case()
{
	for kind in out err exit; do
		rm -f "$command/$1.$kind"
		[ ! -f "$scratch/got.$kind" ] ||
			cp "$scratch/got.$kind" "$command/$1.$kind"
	done
}

if [ $# -eq 0 ]; then
	for file in "$command"/*.sh; do
		name=${file##*/}
		set -- "$@" "${name%.sh}"
	done
fi
failed=0
for name; do
	run_case "$name"
	if is_left_out; then
		echo "left out: $command/$name: $(cat "$scratch/got.err")"
	elif [ $update = yes ]; then
		keep_case "$name"
	elif ! check_case "$name"; then
		echo "FAILED: $command/$name"
		failed=$((failed + 1))
	fi
done
echo "$command: $# cases, $failed failed"
[ $failed -eq 0 ]
