# SPDX-License-Identifier: MIT
# Writes lib/analyze/analyze_check_letters.h to standard output, from UnicodeData.txt of the
# Unicode Character Database:
#
#     awk -f tools/dev/letters.awk UnicodeData.txt
#
# It takes the canonical decompositions of Latin, Greek and Cyrillic letters, of the signs that are
# letters by another number (such as the Kelvin sign), and of Japanese kana.

BEGIN {
	FS = ";"
	print "/* SPDX-License-Identifier: MIT */"
	print "/* Made by tools/dev/letters.awk; see there. By letter. */"
	print "static const struct letter letters[] = {"
}

function wanted(code)
{
	return length(code) == 4 && (code < "0500" || (code >= "1E00" && code < "2000") ||
		(code >= "2100" && code < "2130") || (code >= "3040" && code < "3100"))
}

wanted($1) && $6 != "" && $6 !~ /</ {
	if (split($6, part, " ") == 1)
		part[2] = "0000"
	line = line sprintf("{0x%s, 0x%s, 0x%s},", tolower($1), tolower(part[1]), tolower(part[2]))
	if (++count % 3 == 0) {
		print "\t" line
		line = ""
	} else
		line = line " "
}

END {
	if (line != "")
		print "\t" substr(line, 1, length(line) - 1)
	print "};"
}
