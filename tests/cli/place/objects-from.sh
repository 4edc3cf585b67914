# SPDX-License-Identifier: MIT
printf 'foo\t4096\nbar\nwith space\t0' |
	"$MAPTOOL" place maps/one-pool.json --objects-from - --report csv
