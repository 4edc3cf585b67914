# SPDX-License-Identifier: MIT
# The same cluster after osd.3 has gone out.
sed 's/\("osd":3,"uuid":[^}]*"weight":\)1,/\10,/' maps/cluster.osd-dump.json >"$WORK/new.json"
cmp -s maps/cluster.osd-dump.json "$WORK/new.json" && exit 1
"$MAPTOOL" diff maps/cluster.crush.json maps/cluster.crush.json \
	--join-old maps/cluster.osd-dump.json --join-new "$WORK/new.json" \
	--report csv --table devices
