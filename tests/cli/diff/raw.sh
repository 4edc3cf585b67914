# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --rule hosts --size 3 \
	--inputs 0-999 --report csv | cut -d, -f1-8
