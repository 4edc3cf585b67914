# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pg 1.0 --report csv -o "$WORK/out.csv" &&
	cat "$WORK/out.csv" && ls -A "$WORK"
