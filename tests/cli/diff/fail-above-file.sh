# SPDX-License-Identifier: MIT
# "No" is an answer: it is written.
"$MAPTOOL" diff maps/small.json maps/small+host.json --fail-above 1 --report csv \
	-o "$WORK/file"
code=$?
wc -l <"$WORK/file"
exit $code
