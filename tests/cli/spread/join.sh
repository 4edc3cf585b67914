# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/cluster.crush.json --join maps/cluster.osd-dump.json \
	--report csv --table summary
