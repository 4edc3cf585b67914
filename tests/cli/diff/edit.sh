# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json -e "add host:h9 to default" -e "add device 8-9 to h9 weight 2"
