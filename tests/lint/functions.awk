# SPDX-License-Identifier: MIT
# From code.awk's output: FILE:LINE LENGTH of every function body, the lines between its braces.
# The formatter puts a function's braces, and no others, alone in the first column.

{
	split($0, part, ":")
	text = substr($0, length(part[1] ":" part[2] ":") + 1)
}

text == "{" {
	file = part[1]
	start = part[2]
}

text == "}" && file == part[1] && start {
	print file ":" start, part[2] - start - 1
	start = 0
}
