# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --rule hosts --size 2 --inputs 0-999 --report csv
