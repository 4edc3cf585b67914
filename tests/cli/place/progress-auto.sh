# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 0-199999 >/dev/null
