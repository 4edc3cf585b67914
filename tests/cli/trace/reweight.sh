# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --rule hosts --size 3 --x 4 --reweight 0-8 0.3 --candidates 1
