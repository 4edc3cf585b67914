# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule 0 --size 1024 --inputs 0-4294967295
