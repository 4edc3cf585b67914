# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --item h1 --reweight osd.0 0 --report csv
