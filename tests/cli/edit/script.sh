# SPDX-License-Identifier: MIT
printf "# two\nout 0 # gone\n\nset pool 1 pg_num 64\n" >"$WORK/s"
"$MAPTOOL" edit maps/small.json -f "$WORK/s" -e "set pool 1 pgp_num 32" >"$WORK/a"
"$MAPTOOL" edit maps/small.json -e "out 0" -e "set pool 1 pg_num 64" -e "set pool 1 pgp_num 32" |
	cmp - "$WORK/a"
