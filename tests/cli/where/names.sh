# SPDX-License-Identifier: MIT
for name in osd.7 7 osd.7-7 7-9; do
	"$MAPTOOL" where maps/small.json --item "$name" | head -n 1
done
