# SPDX-License-Identifier: MIT
# How large devices are is known, what is in use isn't: that is not 0.
echo '{"format": "strew-map/1", "types": ["device", "root"], "tree": [{"type": "root",
	"name": "default", "id": -1, "children": [{"device": 0, "weight": 1, "size": "1TiB"}]}]}' |
	"$MAPTOOL" show - --report csv --table summary
