# SPDX-License-Identifier: MIT
# What was written is written in the same way again.
"$MAPTOOL" convert maps/cluster.crush.json --join maps/cluster.osd-dump.json >"$WORK/one" &&
	"$MAPTOOL" convert - <"$WORK/one" | cmp - "$WORK/one"
