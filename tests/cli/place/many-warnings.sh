# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/many-warnings.json --pg 1.0
