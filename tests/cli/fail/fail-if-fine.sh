# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each host --fail-if lost --fail-if fill-above:1 \
	--report csv --table odds
