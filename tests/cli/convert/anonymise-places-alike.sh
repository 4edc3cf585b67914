# SPDX-License-Identifier: MIT
# Neutral names change no placement.
set -- maps/cluster.crush.json --join maps/cluster.osd-dump.json
"$MAPTOOL" convert "$@" --anonymise -o "$WORK/map" &&
	"$MAPTOOL" place "$WORK/map" --stages --report csv >"$WORK/one" &&
	"$MAPTOOL" place "$@" --stages --report csv | cmp - "$WORK/one" &&
	wc -l <"$WORK/one"
