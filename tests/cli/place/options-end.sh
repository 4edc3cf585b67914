# SPDX-License-Identifier: MIT
cp maps/small.json "$WORK/--map" && cd "$WORK" && "$MAPTOOL" place --pg 1.0 -- --map
