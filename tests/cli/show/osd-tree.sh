# SPDX-License-Identifier: MIT
# The tree equals that of osdmaptool --tree, whose rows osd-tree.out has.
for file in ../golden/osdmap/*.dump.json; do
	name=${file%.dump.json}
	echo "${name##*/}"
	"$MAPTOOL" show "$name.crush.json" --join "$file" |
		sed -n "4,/^\$/s/ *[0-9.]* %\$//p" | sed "s/ *\$//"
done
