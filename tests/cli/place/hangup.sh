# SPDX-License-Identifier: MIT
# A terminal that closes leaves nothing half-written either.
timeout --preserve-status -s HUP 0.5 env --default-signal=HUP "$MAPTOOL" place maps/small.json \
	--rule 0 --size 3 --inputs 0-19999999 -o "$WORK/file"
code=$?
ls -A "$WORK"
exit $code
