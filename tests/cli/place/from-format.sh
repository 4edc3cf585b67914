# SPDX-License-Identifier: MIT
"$MAPTOOL" place --from json maps/small.json --pg 1.0
"$MAPTOOL" place --from jsno maps/small.json
