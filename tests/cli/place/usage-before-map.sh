# SPDX-License-Identifier: MIT
# What is wrong whatever the map holds is said before a map is read.
"$MAPTOOL" place maps/none.json --rule 0 --size 3 --inputs 9-1 2>/dev/null; echo $?
"$MAPTOOL" place maps/none.json --pg 1.x 2>/dev/null; echo $?
