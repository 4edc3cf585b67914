# SPDX-License-Identifier: MIT
# All in one: parents, shards that meet, pools, upmaps that don't hold any more, a cure.
"$MAPTOOL" diff ../../maps/three-dc.json ../../maps/three-dc+rack.json --level datacenter
