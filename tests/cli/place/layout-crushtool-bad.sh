# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/few-tries.crush.json --rule 0 --size 4 --inputs 0-255 \
	--layout crushtool-bad
