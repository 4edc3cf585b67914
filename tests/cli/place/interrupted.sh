# SPDX-License-Identifier: MIT
# Endless for all that a test can wait, and ended with nothing half-written.
echo old >"$WORK/file"
timeout --preserve-status -s INT 0.5 env --default-signal=INT "$MAPTOOL" place maps/small.json \
	--rule 0 --size 3 --inputs 0-19999999 -o "$WORK/file"
code=$?
cat "$WORK/file"
ls -A "$WORK"
exit $code
