# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --report csv --table placements --pg 1.0
"$MAPTOOL" place maps/small.json --report csv --table placement
