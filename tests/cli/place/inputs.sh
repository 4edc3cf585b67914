# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule 2 --size 2 --inputs 10-13 --report csv
