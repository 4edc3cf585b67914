# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --report csv
