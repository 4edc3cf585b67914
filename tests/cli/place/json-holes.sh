# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/few-tries.crush.json --rule 1 --size 4 --inputs 0-15 --report json
