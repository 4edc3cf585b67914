#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh MAPTOOL FOLDER MAKER: there is a manual page for maptool and for each command, it tells
# what the command's help tells, no Markdown is left in it, and what formats manual pages here likes
# it. And the maker makes what it should of the page man/play.md.
set -eu

maptool=$1
folder=$2
maker=$3
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C.UTF-8

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain()
{
	echo "$@"
	failed=1
}

has()
{
	command -v "$1" >/dev/null
}

# render PAGE: as text, on lines that are long enough.
render()
{
	if has groff; then
		groff -man -ww -K utf8 -T utf8 -P -cbou -r LL=500n "$1"
	else
		sed -e 's/\\f[BIR]//g; s/\\-/-/g; s/\\e/\\/g; s/\\&//g' \
			-e "s/\\\\(aq/'/g; s/^\\.S[HS] //" "$1"
	fi
}

# lint PAGE: what the formatters that are here complain of. A page has no date: it would be the
# build's, and no two builds the same.
lint()
{
	! has groff || groff -man -ww -K utf8 -T utf8 "$1" 2>&1 >/dev/null
	! has man || man -l --warnings "$1" 2>&1 >/dev/null
	! has mandoc || mandoc -T lint -W warning "$1" | grep -v 'missing date' || :
}

# check_words PAGE WORD...: the page has these words.
check_words()
{
	words_of=$1
	shift
	for word; do
		tr -s ' ' '\n' <"$work/text" | grep -q -F -e "$word" ||
			complain "$words_of does not have $word"
	done
}

# check_page NAME USAGE SUMMARY
check_page()
{
	page=$folder/$1.1
	[ -f "$page" ] || { complain "$page is not there"; return; }
	lint "$page" >"$work/lint"
	[ ! -s "$work/lint" ] || complain "$page: $(cat "$work/lint")"
	render "$page" >"$work/text"
	for line in "$1 - $3" "$2"; do
		sed 's/^ *//' "$work/text" | grep -q -x -F -e "$line" ||
			complain "$page does not have the line: $line"
	done
	for title in NAME SYNOPSIS DESCRIPTION "SEE ALSO"; do
		grep -q -x -e "$title" "$work/text" || complain "$page has no $title"
	done
	! grep -F -e '**' -e '](' -e '```' "$work/text" || complain "$page has Markdown in it"
}

# summaries: COMMAND SUMMARY, as maptool help lists them.
summaries()
{
	"$maptool" help | sed -n 's/^  \([a-z]*\)  */\1 /p'
}

LC_ALL=C awk -v version=1.2 -f "$maker" "$here/man/README.md" "$here/man/play.md" |
	diff "$here/man/play.1" - || complain "man.awk makes something else of man/play.md"

[ "$(summaries | wc -l)" -ge 4 ]
check_page maptool "$("$maptool" help | sed -n 's/^usage: //p')" \
	"where the data of a storage cluster lies"
check_words maptool.1 $(summaries | sed 's/\([a-z]*\) .*/maptool-\1(1)/')
summaries >"$work/summaries"
while read -r command summary; do
	"$maptool" help "$command" >"$work/help"
	check_page "maptool-$command" "$(sed -n 's/^usage: //p' "$work/help")" "$summary"
	check_words "maptool-$command.1" $(grep -o -e '--[a-z][a-z-]*' "$work/help")
done <"$work/summaries"
has groff || has man || has mandoc || echo "no groff, man or mandoc: pages read, not formatted"
exit $failed
