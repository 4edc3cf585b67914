# SPDX-License-Identifier: MIT
"$MAPTOOL" where ../formats/valid/ceph-report/input.json \
	--join ../formats/valid/pg-dump/join.json --pool ecpool --item osd.2 --report csv
