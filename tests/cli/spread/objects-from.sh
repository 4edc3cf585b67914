# SPDX-License-Identifier: MIT
printf 'foo\t4096\nbar\nbaz\t0' |
	"$MAPTOOL" spread maps/one-pool.json --objects-from - --report csv
