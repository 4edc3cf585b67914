# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --pool rbd \
	--by position --report csv | cut -d, -f1-8
