# SPDX-License-Identifier: MIT
printf 'foo\nbar\t12kB\n' | "$MAPTOOL" place maps/one-pool.json --objects-from -
