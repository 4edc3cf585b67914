# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/cluster.crush.json maps/cluster.crush.json \
	--join maps/cluster.osd-dump.json --report csv | cut -d, -f1-8
