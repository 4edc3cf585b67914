# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule hosts --size 3 --x 4294967295 --report csv
