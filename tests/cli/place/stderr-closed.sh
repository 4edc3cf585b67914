# SPDX-License-Identifier: MIT
# The file takes no place of a closed stream, whose messages would go into it.
"$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 0-9999 --layout crushtool \
	--progress always -o "$WORK/file" 2>&-
grep -cv '^CRUSH' "$WORK/file"
wc -l <"$WORK/file"
