# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small.json --rule hosts --size 2 \
	--new-rule racks --report csv | cut -d, -f1-8
