# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --reweight osd.99 0.5
