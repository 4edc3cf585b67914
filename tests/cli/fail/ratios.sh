# SPDX-License-Identifier: MIT
# The cluster's own; then others.
sed '2s/$/"nearfull_ratio": 0.5, "backfillfull_ratio": 0.6, "full_ratio": 0.7,/' \
	maps/small.json >"$WORK/map.json"
"$MAPTOOL" fail "$WORK/map.json" --item h1 --report csv --table summary | cut -d , -f 7-9
"$MAPTOOL" fail "$WORK/map.json" --item h1 --report csv --table summary --nearfull-ratio 0.5 \
	--backfillfull-ratio 0.65 --full-ratio 0.75 | cut -d , -f 7-9
