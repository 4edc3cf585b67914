# SPDX-License-Identifier: MIT
"$MAPTOOL" diff ../../maps/three-dc.json ../../maps/three-dc+rack.json --no-causes \
	--report csv --table upmaps
