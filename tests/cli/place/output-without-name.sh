# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pg 1.0 -o ''
