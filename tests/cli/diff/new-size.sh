# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small.json --pool rbd --new-size 4 \
	--report csv | cut -d, -f1-8
