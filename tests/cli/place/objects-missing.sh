# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/one-pool.json --objects-from maps/none.txt
