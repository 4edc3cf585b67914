# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/warning.json --pg 1.0
