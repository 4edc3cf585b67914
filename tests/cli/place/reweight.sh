# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/few-tries.crush.json --rule 0 --size 3 --inputs 0-31 \
	--reweight osd.3 0.5 --reweight 4-5 0 --layout crushtool
