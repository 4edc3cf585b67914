# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/one-pool.json --object=--strange --report csv
