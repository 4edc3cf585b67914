# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/faults.json
