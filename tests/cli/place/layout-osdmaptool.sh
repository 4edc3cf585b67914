# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/cluster.crush.json --join maps/cluster.osd-dump.json \
	--layout osdmaptool
