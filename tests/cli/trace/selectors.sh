# SPDX-License-Identifier: MIT
for map in flat-straw-v1 flat-list flat-tree flat-uniform; do
	"$MAPTOOL" trace ../golden/crush/$map.crush --rule 0 --size 2 --x 5
done
