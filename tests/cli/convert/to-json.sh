# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/cluster.crush.json --to json --join maps/cluster.osd-dump.json
