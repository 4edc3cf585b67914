# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/weight-sets.crush.json --rule 0 --size 3 --inputs 0-15 \
	--choose-args 1 --layout crushtool
