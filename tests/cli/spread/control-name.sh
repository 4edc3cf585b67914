# SPDX-License-Identifier: MIT
sed 's/"name": "rbd"/"name": "r\\u001b[31mbd"/' maps/small.json >"$WORK/map.json"
"$MAPTOOL" spread "$WORK/map.json" --pool none
