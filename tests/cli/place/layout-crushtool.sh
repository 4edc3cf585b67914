# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/few-tries.crush.json --rule leaf_indep --size 4 --inputs 0-31 \
	--layout crushtool
