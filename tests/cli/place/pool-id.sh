# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/few-tries.crush.json --rule 0 --size 3 --inputs 0-31 --pool-id 5 \
	--layout crushtool
