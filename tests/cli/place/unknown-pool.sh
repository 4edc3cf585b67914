# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pool images
