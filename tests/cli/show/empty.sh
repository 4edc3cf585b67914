# SPDX-License-Identifier: MIT
echo '{"format": "strew-map/1", "types": ["device", "root"], "tree": []}' |
	"$MAPTOOL" show -
