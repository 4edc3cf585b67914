# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../formats/valid/ceph-report/input.json \
	--join ../formats/valid/pg-dump/join.json --each host
