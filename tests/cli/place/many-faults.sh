# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/many-faults.json
