# SPDX-License-Identifier: MIT
# Makes a manual page from a page of doc/commands:
#
#     awk -v version=VERSION -f man.awk README.md PAGE
#
# README.md is maptool's own page, and names the other commands with their summaries. The block that
# holds what `maptool help` prints becomes synopsis, description, options and examples, and what
# stands before it is left out, since the help says it too. The rest is the Markdown that our pages
# use: headings, paragraphs, lists, tables, blocks of code; code, bold, emphasis and links.

# literal(TEXT): so that it looks as it stands, and can be copied from the page.
function literal(text, out, c)
{
	out = ""
	for (; text != ""; text = substr(text, 2)) {
		c = substr(text, 1, 1)
		out = out (c in roff ? roff[c] : c)
	}
	return out
}

# code(TEXT): the same within a paragraph, where spaces would shrink.
function code(text, at)
{
	text = literal(text)
	while ((at = index(text, "  ")) > 0)
		text = substr(text, 1, at) "\\ " substr(text, at + 2)
	return text
}

# A line of text that starts with a dot or a quote would be a macro.
function put(text)
{
	print (text ~ /^[.']/ ? "\\&" : "") text
}

function link(text, target)
{
	sub(/\.md$/, "", target)
	if (target in summary)
		return "\\fBmaptool\\-" target "\\fR(1)"
	return "\\fI" inline(text) "\\fR"
}

# span(TEXT): the length of the bold, emphasis, link or escape that it starts with, or 0.
function span(text)
{
	if (!match(text, /^\*\*[^*]+\*\*/) && !match(text, /^\*[^* ][^*]*\*/) &&
	    !match(text, /^\[[^]]*\]\([^)]*\)/) && !match(text, /^\\[|*_`\\[]/))
		return 0
	return RLENGTH
}

function marked(text)
{
	if (text ~ /^\\/)
		return literal(substr(text, 2))
	if (text ~ /^\*\*/) {
		text = inline(substr(text, 3, length(text) - 4))
		gsub(/\\f[BR]/, "", text)
		return "\\fB" text "\\fR"
	}
	if (text ~ /^\*/)
		return "\\fI" inline(substr(text, 2, length(text) - 2)) "\\fR"
	match(text, /\]\(/)
	return link(substr(text, 2, RSTART - 2),
		substr(text, RSTART + 2, length(text) - RSTART - 2))
}

# inline(TEXT): a line's Markdown as roff.
function inline(text, out, len)
{
	out = ""
	for (; text != ""; text = substr(text, len + 1)) {
		len = 1
		if (match(text, /^`[^`]+`/)) {
			len = RLENGTH
			out = out "\\fB" code(substr(text, 2, len - 2)) "\\fR"
		} else if (span(text)) {
			len = span(text)
			out = out marked(substr(text, 1, len))
		} else {
			out = out (text ~ /^\\/ ? "\\e" : substr(text, 1, 1))
		}
	}
	return out
}

function add(text)
{
	sub(/^ +/, "", text)
	pending = pending (pending == "" ? "" : " ") text
}

# flush(): the paragraph or the item of a list that has been gathered is complete.
function flush()
{
	if (pending != "") {
		if (lead != "")
			print lead
		put(in_help ? literal(pending) : inline(pending))
		lead = ".PP"
	}
	pending = ""
}

function section(title)
{
	flush()
	print ".SH " title
	lead = ""
}

function example(line)
{
	if (!in_code && lead != "")
		print lead
	if (!in_code)
		print ".RS 4\n.EX"
	in_code = 1
	put(literal(line))
}

function end_example()
{
	if (in_code)
		print ".EE\n.RE"
	if (in_code)
		lead = ".PP"
	in_code = 0
}

# The words of a usage: those that stand as they are in bold, what they stand for in italics.
function usage(words, count, word, i, out, comma)
{
	count = split(words, word, " ")
	out = ""
	for (i = 1; i <= count; i++) {
		comma = sub(/,$/, "", word[i]) ? "," : ""
		word[i] = literal(word[i])
		if (word[i] ~ /[a-z]/)
			word[i] = "\\fB" word[i] "\\fR"
		else
			gsub(/[A-Z]+/, "\\fI&\\fR", word[i])
		out = out (i > 1 ? " " : "") word[i] comma
	}
	return out
}

# entry(LINE): an option, a command or, on a command's page, what it is given, in two columns.
function entry(line, head)
{
	sub(/^ +/, "", line)
	match(line, /  +|$/)
	head = substr(line, 1, RSTART - 1)
	flush()
	if (head ~ /^-/ || page != "")
		head = usage(head)
	else
		head = "\\fBmaptool\\-" head "\\fR(1)"
	lead = ".TP\n" head
	add(substr(line, RSTART))
}

function group(title)
{
	if (!grouped++)
		section(page == "" ? "COMMANDS" : "OPTIONS")
	flush()
	print ".SS " literal(title)
	lead = ""
}

function help_line(line)
{
	if (line ~ /^usage: /) {
		section("SYNOPSIS")
		put(usage(substr(line, 8)))
		section("DESCRIPTION")
	} else if (line == "Examples:") {
		flush()
		in_examples = 1
	} else if (in_examples) {
		sub(/^  /, "", line)
		examples[++example_count] = line
	} else if (line == "") {
		flush()
	} else if (pending == "" && line ~ /^[A-Z].*:$/) {
		group(substr(line, 1, length(line) - 1))
	} else if (line ~ /^  (-[A-Za-z],|   ) --[a-z]/ || line ~ /^  [a-z]/) {
		entry(line)
	} else {
		add(line)
	}
}

# A row of a table is an item: the first cell, and what is said of it.
function table_row(line, count, cell, i, text)
{
	gsub(/\\\|/, "\001", line)
	count = split(line, cell, / *\| */) - 1
	for (i = 2; i <= count; i++)
		gsub("\001", "|", cell[i])
	if (line ~ /^[|: -]+$/) {
		in_body = 1
	} else if (!in_body) {
		for (i = 2; i <= count; i++)
			head_of[i] = cell[i]
	} else {
		text = cell[3]
		for (i = 4; i <= count; i++)
			if (cell[i] != "" && cell[i] != "–")
				text = text " (" head_of[i] ": " cell[i] ")"
		flush()
		lead = ".TP\n" inline(cell[2])
		add(text == "" ? "\\&" : text)
		flush()
	}
}

function heading(title)
{
	if (title == "Exit codes")
		title = "Exit status"
	section(inline(title ~ /`/ ? title : toupper(title)))
}

BEGIN {
	roff["\\"] = "\\e"
	roff["-"] = "\\-"
	roff["'"] = "\\(aq"
	roff["`"] = "\\(ga"
	roff["^"] = "\\(ha"
	roff["~"] = "\\(ti"
	page = ARGV[2]
	sub(/^.*\//, "", page)
	sub(/\.md$/, "", page)
	if (page == "README")
		page = ""
}

FNR == NR {
	if (/^  [a-z]+  /) {
		text = $0
		sub(/^  [a-z]+ +/, "", text)
		summary[$1] = text
	}
	if (/^# maptool: /)
		summary[""] = substr($0, 12)
	next
}

FNR == 1 {
	name = "maptool" (page == "" ? "" : "\\-" page)
	print ".TH " toupper(name) " 1 \"\" \"strew " version "\""
	print ".SH NAME"
	print name " \\- " summary[page]
}

/^```/ {
	flush()
	end_example()
	fenced = !fenced
	in_help = 0
	next
}

fenced && /^usage: maptool / && !helped {
	helped = 1
	in_help = 1
}

in_help { help_line($0); next }
!helped { next }
fenced { example($0); next }
/^    / && pending == "" { example(substr($0, 5)); next }
{ end_example() }
!/^\|/ { in_body = 0 }
/^\|/ { table_row($0); next }
/^## / { heading(substr($0, 4)); next }
/^###/ { sub(/^#+ /, ""); flush(); print ".SS " inline($0); lead = ""; next }
/^ *- / { flush(); lead = ".IP \\(bu 2"; sub(/^ *- /, "") }
/^ *[0-9]+\. / { flush(); lead = ".IP " $1 " 3"; sub(/^ *[0-9]+\. /, "") }
/^ *$/ { flush(); next }
{ add($0) }

END {
	flush()
	end_example()
	if (example_count)
		print ".SH EXAMPLES\n.EX"
	for (i = 1; i <= example_count; i++)
		put(literal(examples[i]))
	if (example_count)
		print ".EE"
	print ".SH SEE ALSO"
	if (page != "")
		print "\\fBmaptool\\fR(1) and"
	print "the pages in \\fIshare/doc/strew\\fR, some of them named by their paths above"
}
