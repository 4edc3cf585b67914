# SPDX-License-Identifier: MIT
# Times are what they are: only that there are some is told.
STREW_PEER_LIB=/nonexistent "$MAPTOOL" bench tiny --quick --kernel plain |
	sed "s/plain  *1  *[0-9][0-9.]*  */plain 1 TIME /"
