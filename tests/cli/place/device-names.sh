# SPDX-License-Identifier: MIT
# An exact name comes before an id: osd.2 is called 7 here.
sed 's/"osd\.2"/"7"/' maps/few-tries.crush.json >"$WORK/map.json"
cmp -s maps/few-tries.crush.json "$WORK/map.json" && exit 1
for device in 7 2 osd.2 osd.7 0-3 osd.12 h1; do
	echo "$device: $("$MAPTOOL" place "$WORK/map.json" --rule 0 --size 4 --inputs 0-999 \
		--reweight $device 0 --report csv 2>&1 | cut -d, -f4 |
		tr -s ' ' '\n' | sort -u | tr '\n' ' ')"
done
