# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json maps/small.json
