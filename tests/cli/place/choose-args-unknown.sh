# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/weight-sets.crush.json --rule 0 --size 3 --choose-args none
