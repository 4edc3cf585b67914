# SPDX-License-Identifier: MIT
# Times are what they are: 1 stands for each.
STREW_PEER_LIB=/nonexistent "$MAPTOOL" bench tiny maps/small.json --quick --kernel plain \
	--threads 2 --report csv | sed "s/,[0-9.e+]*,,,,\$/,1,,,,/"
