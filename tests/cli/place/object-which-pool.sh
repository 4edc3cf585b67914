# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --object foo
