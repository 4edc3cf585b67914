# SPDX-License-Identifier: MIT
for rule in leaf_firstn leaf_indep; do
	"$MAPTOOL" trace ../golden/crush/device-beside-hosts.crush --rule $rule --size 3 --x 1 \
		--candidates 1
done
