# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule 0 --size 3 --report csv --inputs 05-06
"$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 00000000000000000000000005-06
