# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/cluster.crush.json --join maps/cluster.osd-dump.json --pool pool2 --stages
