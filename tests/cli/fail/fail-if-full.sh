# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/three-dc.json --each rack --odds 0 --fail-if fill-above:101.1 \
	--report csv --table summary
