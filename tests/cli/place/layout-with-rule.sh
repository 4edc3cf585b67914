# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --layout osdmaptool --rule 0 --size 3
