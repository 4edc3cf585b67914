# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/cluster.crush.json --join maps/cluster.osd-dump.json
