# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --rule hosts --size 3 --item h1 --fail-if fill-above:90 >/dev/null
