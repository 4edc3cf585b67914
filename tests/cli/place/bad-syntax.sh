# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/broken.json
