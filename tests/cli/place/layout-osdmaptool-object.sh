# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/cluster.crush.json --join maps/cluster.osd-dump.json \
	--layout osdmaptool --pool pool3 --object foo --object "a b"
