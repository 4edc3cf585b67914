# SPDX-License-Identifier: MIT
"$MAPTOOL" diff ../../maps/three-dc.json ../../maps/three-dc+rack.json --level datacenter \
	--pool home --no-causes
