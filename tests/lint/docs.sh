#!/bin/sh
# SPDX-License-Identifier: MIT
# What the pages point at exists: relative links, and files of the tree named in `backquotes`. And
# the layout, section 2 of doc/architecture.md, names the sources that are there.
. "$(dirname "$0")/lint.sh"

pages=$(find . -name '*.md' ! -path './build*' ! -path './.git/*' | sed 's|^\./||' | sort)

# FILE LINE TARGET of links, outside fenced blocks.
links()
{
	awk '
	FNR == 1 { fenced = 0 }
	/^ *```/ { fenced = !fenced; next }
	!fenced {
		rest = $0
		while (match(rest, /\]\([^) ]+\)/)) {
			print FILENAME, FNR, substr(rest, RSTART + 2, RLENGTH - 3)
			rest = substr(rest, RSTART + RLENGTH)
		}
	}' $pages
}

named_files()
{
	awk '
	FNR == 1 { fenced = 0 }
	/^ *```/ { fenced = !fenced; next }
	!fenced {
		rest = $0
		while (match(rest, /`[^`]+`/)) {
			name = substr(rest, RSTART + 1, RLENGTH - 2)
			if (name ~ /^(lib|tools|tests|doc|maps|\.ci)\/[A-Za-z0-9_.\/+-]*$/)
				print FILENAME, FNR, name
			rest = substr(rest, RSTART + RLENGTH)
		}
	}' $pages
}

check_layout()
{
	{
		find lib tools/maptool tools/dev -name '*.[ch]' -o -name '*.gperf' |
			sed 's|.*/|is |'
		awk '/^## /{ on = /^## 2\./ } on { print "doc", FNR, $0 }' doc/architecture.md
	} | awk '
	$1 == "is" { is[$2] = 1; next }
	{
		rest = $0
		while (match(rest, /[a-z0-9_]+\.(c|h|gperf)/)) {
			name = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			told[name] = 1
			if (!(name in is) && rest !~ /^[a-z]/)
				print "doc/architecture.md:" $2 ": there is no " name
		}
	}
	END {
		for (name in is)
			if (!(name in told))
				print "doc/architecture.md:1: section 2 does not name " name
	}' | sort
}

lint_end "$(
	check_layout
	links | while read -r page line target; do
		case $target in
		*://* | '#'* | mailto:*) ;;
		*)
			folder=.
			[ "${page%/*}" = "$page" ] || folder=${page%/*}
			[ -e "$folder/${target%%#*}" ] ||
				echo "$page:$line: there is no $target"
			;;
		esac
	done
	named_files | while read -r page line name; do
		[ -e "$name" ] || echo "$page:$line: there is no $name"
	done
)"
