# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small.json --pool rbd --new-reweight osd.7 0 \
	--report csv --table devices
"$MAPTOOL" diff maps/small.json maps/small.json --new-reweight 6-7 0.5 --report csv --table changes
