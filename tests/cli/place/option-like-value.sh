# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pool rbd --object=--x --report csv
"$MAPTOOL" place maps/small.json --pool rbd --object --x
