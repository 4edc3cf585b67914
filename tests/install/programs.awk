# SPDX-License-Identifier: MIT
# What a page shows and can be tried, into files of the folder `to`. Fenced blocks marked `c` that
# have a main are programs: NAME-1.c … A block marked `output` is what the program before it prints:
# NAME-1.output … One marked `console` is a command after a dollar, and what it prints:
# NAME-1.console …

BEGIN {
	name = ARGV[1]
	gsub(/\//, "-", name)
	sub(/\.md$/, "", name)
}

/^```/ && kind == "" {
	kind = substr($0, 4)
	block = ""
	next
}

/^```/ {
	if (kind == "c" && block ~ /int main\(/)
		printf "%s", block >(to "/" name "-" ++count ".c")
	if (kind == "output" && count)
		printf "%s", block >(to "/" name "-" count ".output")
	if (kind == "console")
		printf "%s", block >(to "/" name "-" ++consoles ".console")
	kind = ""
	next
}

kind != "" {
	block = block $0 "\n"
}
