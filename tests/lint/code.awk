# SPDX-License-Identifier: MIT
# C without comments, and with empty strings and characters, as FILE:LINE:TEXT.

# Cut what comes before a literal's closing quote, and the quote.
function skip_literal(line, quote,    i, c)
{
	for (i = 1; (c = substr(line, i, 1)) != "" && c != quote; i++) {
		if (c == "\\")
			i++
	}
	return substr(line, i + 1)
}

function strip(line,    out, c, end)
{
	out = ""
	while (line != "") {
		if (comment) {
			end = index(line, "*/")
			if (!end)
				return out
			comment = 0
			out = out " "
			line = substr(line, end + 2)
		}
		if (!match(line, /["'\/]/))
			return out line
		out = out substr(line, 1, RSTART - 1)
		c = substr(line, RSTART, 1)
		line = substr(line, RSTART + 1)
		if (c != "/") {
			out = out c c
			line = skip_literal(line, c)
		} else if (line ~ /^\//) {
			return out
		} else if (line ~ /^\*/) {
			comment = 1
			line = substr(line, 2)
		} else {
			out = out c
		}
	}
	return out
}

FNR == 1 {
	comment = 0
}

{
	print FILENAME ":" FNR ":" strip($0)
}
