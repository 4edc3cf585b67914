#!/bin/sh
# SPDX-License-Identifier: MIT
# Each command has a page in doc/commands that holds, in a fenced block, what `maptool help COMMAND`
# prints; README.md is the page of maptool itself.
. "$(dirname "$0")/lint.sh"

lint_end "$(check_built maptool)"
maptool=$(fact maptool)

commands()
{
	awk -F'[, \t]' '/^%%/ { on = !on; next } on && /^[a-z]/ { print $1 }' \
		tools/maptool/commands.gperf
}

# check_page PAGE [COMMAND]: the block that starts with the help's first line equals the help.
check_page()
{
	page=doc/commands/$1.md
	shift
	[ -f "$page" ] || { echo "$page:1: maptool${1:+ $1} has no page"; return; }
	"$maptool" help "$@" >"$work/help" || echo "$page:1: maptool help $* fails"
	first=$(head -n 1 "$work/help")
	line=$(grep -n -x -F -e "$first" "$page" | head -n 1 | cut -d: -f1)
	[ -n "$line" ] || { echo "$page:1: has no block that starts \"$first\""; return; }
	sed -n "$line,\$p" "$page" | sed '/^```/,$d' >"$work/page"
	diff "$work/help" "$work/page" >"$work/difference" ||
		echo "$page:$line: differs from maptool help${1:+ $1}:" \
			"$(sed -n 2p "$work/difference")"
}

check_strays()
{
	for page in doc/commands/*.md; do
		name=${page##*/}
		name=${name%.md}
		[ "$name" = README ] || commands | grep -q -x -e "$name" ||
			echo "$page:1: maptool has no command $name"
	done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$(commands)" ] || lint_end "tools/maptool/commands.gperf:1: no commands"
lint_end "$(
	check_page README
	for command in $(commands); do
		check_page "$command" "$command"
	done
	check_strays
)"
