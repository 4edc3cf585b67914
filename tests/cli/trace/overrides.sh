# SPDX-License-Identifier: MIT
for pg in 2.c 2.d 2.b 4.a 1.0 2.4 3.12 3.1e; do
	"$MAPTOOL" trace ../golden/osdmap/all.osdmap --pg $pg --candidates 0 |
		sed -n "1p; /^raw/,/^acting/p"
done
