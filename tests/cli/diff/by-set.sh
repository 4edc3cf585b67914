# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --pool archive --by set \
	--report csv | cut -d, -f1-8
