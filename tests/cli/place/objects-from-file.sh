# SPDX-License-Identifier: MIT
printf 'foo\nbar\n' >"$WORK/list"
"$MAPTOOL" place maps/one-pool.json --objects-from "$WORK/list" --object baz --report csv
