# SPDX-License-Identifier: MIT
# Finds words in what code.awk prints. words: those that are never fine, calls: those that are not
# fine before a parenthesis, both separated by spaces; message: what to say, after the word.

BEGIN {
	n = split(words, list, " ")
	for (i = 1; i <= n; i++)
		never[list[i]] = 1
	n = split(calls, list, " ")
	for (i = 1; i <= n; i++)
		call[list[i]] = 1
}

{
	split($0, part, ":")
	rest = substr($0, length(part[1] ":" part[2] ":") + 1)
	while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
		before = substr(rest, 1, RSTART - 1)
		word = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		if (before ~ /(\.|->)$/)
			continue
		if (word in never || (word in call && rest ~ /^[ \t]*\(/))
			print part[1] ":" part[2] ": " word " " message
	}
}
