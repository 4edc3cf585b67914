# SPDX-License-Identifier: MIT
# Buckets that answer by a study scheme; the last one's items weigh nothing.
sed 's/"name": "default"/"alg": "rendezvous", &/; s/"name": "h3"/"alg": "jump", &/' \
	maps/one-pool.json >"$WORK/map.json"
sed 's/"weight": [12]/"weight": 0/' "$WORK/map.json" >"$WORK/zero.json"
"$MAPTOOL" trace "$WORK/map.json" --rule hosts --size 3 --x 1
"$MAPTOOL" trace "$WORK/zero.json" --rule hosts --size 1 --x 1
