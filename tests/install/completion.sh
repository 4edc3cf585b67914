#!/bin/sh
# SPDX-License-Identifier: MIT
# completion.sh MAPTOOL SCRIPT: what bash offers when maptool is half typed.
command -v bash >/dev/null || {
	echo "no bash"
	exit 77
}
exec bash -s -- "$@" <<'END'
maptool=$1
source "$2"
failed=0

# Outside of a real completion there is nothing to tell readline.
compopt()
{
	asked="$*"
}

# offers WANTED WORD...: wanted is what is offered for the last word; FILES are readline's own.
offers()
{
	local wanted=$1
	shift
	COMP_WORDS=("$maptool" "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	asked=
	_maptool
	[ "$asked" != "-o default" ] || COMPREPLY+=(FILES)
	[ "${COMPREPLY[*]}" = "$wanted" ] || {
		echo "maptool $*: offers '${COMPREPLY[*]}', not '$wanted'"
		failed=1
	}
}

# Whatever maptool has is offered.
commands=$("$maptool" help | awk '/^  [a-z]/ { print $1 }')
offers "$(echo $commands)" ""
offers "$(echo $commands)" help ""
for command in $commands; do
	options=$("$maptool" help $command |
		awk '{ sub(/^  -[a-z],/, "     ") } /^      --/ { print $1 }')
	offers "$(echo --help $options)" $command -
done

offers place pl
offers "" nothing ""
offers "" version ""
offers FILES diff ""
offers FILES diff old.json ""
offers FILES place - ""
offers "--new-rule --new-size --new-reweight" diff --new-
offers "text json csv html" diff --report ""
offers csv diff --report = c
offers "set position" diff --by =
offers never diff old.json new.json --color n
offers FILES diff --join ""
offers FILES diff -o ""
offers FILES diff -o = di
offers FILES diff --list ""
offers "" diff --new-size ""
offers "" diff --new-reweight ""
offers "" diff --new-reweight osd.7 ""
offers FILES diff --new-reweight osd.7 0 ""
offers "" place --pool "*"
offers diff help d
exit $failed
END
