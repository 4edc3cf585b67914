# SPDX-License-Identifier: MIT
# The tables that only text shows are none of CSV's.
"$MAPTOOL" diff maps/small.json maps/small+host.json --report csv --table totals
