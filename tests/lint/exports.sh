#!/bin/sh
# SPDX-License-Identifier: MIT
# The functions declared STREW_API, the names in lib/strew.map and what the library exports are the
# same list.
. "$(dirname "$0")/lint.sh"

# FILE:LINE NAME of each function declared STREW_API. The name stands before the first parenthesis.
declared()
{
	code_of $(c_files lib/include) | awk '
	{
		split($0, part, ":")
		text = substr($0, length(part[1] ":" part[2] ":") + 1)
	}
	text ~ /^[ \t]*#/ { next }
	!on && text ~ /(^|[ \t])STREW_API([ \t]|$)/ {
		on = 1
		place = part[1] ":" part[2]
		declaration = ""
	}
	on {
		declaration = declaration " " text
		if (declaration ~ /;/) {
			on = 0
			sub(/\(.*/, "", declaration)
			sub(/[ \t]*;.*/, "", declaration)
			sub(/^.*[^A-Za-z0-9_]/, "", declaration)
			print place, declaration
		}
	}'
}

listed()
{
	awk '/^[ \t]*strew_[a-z0-9_]+;$/ {
		sub(/^[ \t]*/, "")
		sub(/;$/, "")
		print FILENAME ":" FNR, $0
	}' lib/strew.map
}

exported()
{
	nm -D --defined-only "$(fact library)" | awk '$2 != "A" {
		sub(/@.*/, "", $3)
		print "lib/strew.map:1", $3
	}'
}

lint_end "$(check_built library)"
lint_end "$(
	{
		declared | sed 's/^/declared /'
		listed | sed 's/^/listed /'
		exported | sed 's/^/exported /'
	} | awk '
	{
		has[$1, $3] = 1
		if (!($3 in place))
			place[$3] = $2
		names[$3] = 1
		count[$1]++
	}
	END {
		for (name in names) {
			if (!(("declared", name) in has))
				print place[name] ": " name " is not declared STREW_API"
			if (!(("listed", name) in has))
				print place[name] ": " name " is not in lib/strew.map"
			if (!(("exported", name) in has))
				print place[name] ": " name " is not exported by the library"
		}
		if (count["declared"] == 0)
			print "lib/include/strew:1: no function is declared STREW_API"
	}' | sort
)"
