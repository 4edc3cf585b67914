# SPDX-License-Identifier: MIT
# NEW's own reweights come last.
"$MAPTOOL" diff maps/small.json maps/small.json --reweight 6-7 0.5 --new-reweight 7 0.25 \
	--report csv --table changes
