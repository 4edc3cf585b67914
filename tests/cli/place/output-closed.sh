# SPDX-License-Identifier: MIT
# A reader that goes away ends the run without a word.
{ "$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 0-99999 --layout crushtool
	echo $? >"$WORK/code"; } | head -n 1
cat "$WORK/code"
