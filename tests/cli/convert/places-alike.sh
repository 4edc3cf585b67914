# SPDX-License-Identifier: MIT
# The dump and the map made of it have one and the same placement.
set -- maps/cluster.crush.json --join maps/cluster.osd-dump.json
"$MAPTOOL" convert "$@" -o "$WORK/map" &&
	"$MAPTOOL" place "$WORK/map" --stages --report csv >"$WORK/one" &&
	"$MAPTOOL" place "$@" --stages --report csv | cmp - "$WORK/one" &&
	wc -l <"$WORK/one"
