# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/none.json
