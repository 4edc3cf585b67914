# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e "add host:h9 to default" -e "add device 8-9 to h9 weight 2.5"
