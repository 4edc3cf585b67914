# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item h1 --rule hosts --size 3 --inputs 0-5
