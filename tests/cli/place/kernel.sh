# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pg 1.0 --kernel plain --report csv
STREW_KERNEL=auto "$MAPTOOL" place maps/small.json --pg 1.0 --report csv
"$MAPTOOL" place maps/small.json --pg 1.0 --kernel scalar --report csv
STREW_KERNEL=vec128 "$MAPTOOL" place maps/small.json --pg 1.0 --report csv
