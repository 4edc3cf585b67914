# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule host --size 3
