# SPDX-License-Identifier: MIT
"$MAPTOOL" spread ../../maps/flat.json --report csv --table imbalance | cut -d , -f 1,2,6
