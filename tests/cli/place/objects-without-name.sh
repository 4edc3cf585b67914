# SPDX-License-Identifier: MIT
printf 'foo\n\nbar\n' | "$MAPTOOL" place maps/one-pool.json --objects-from -
