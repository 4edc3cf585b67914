# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule hosts --size 3 --inputs 0-3 --x 1
