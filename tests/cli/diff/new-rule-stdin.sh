# SPDX-License-Identifier: MIT
"$MAPTOOL" diff - - --rule hosts --size 2 --new-rule racks --report csv <maps/small.json |
	cut -d, -f1-8
