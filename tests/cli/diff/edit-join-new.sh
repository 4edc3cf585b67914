# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json --join-new x.json -e "out 0"
