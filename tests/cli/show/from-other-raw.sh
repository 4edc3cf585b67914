# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/small.json --from osdmap
