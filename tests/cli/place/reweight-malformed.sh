# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --reweight osd.1 1.5
