# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/cluster.crush.json --join maps/cluster.osd-dump.json --to crush-json
