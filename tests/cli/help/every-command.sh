# SPDX-License-Identifier: MIT
# What `maptool help` lists has help of its own.
"$MAPTOOL" help | sed -n "s/^  \([a-z][a-z]*\)  *.*/\1/p" | while read -r command; do
	"$MAPTOOL" help "$command" | head -n 1
done
