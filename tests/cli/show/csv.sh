# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/small.json --report csv | head -n 4
