# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/no-pools.json
