# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule --size 3
