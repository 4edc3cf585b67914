# SPDX-License-Identifier: MIT
# A host more, and the way back.
"$MAPTOOL" diff maps/small.json maps/small+host.json --ceph-commands "$WORK/go" \
	--undo "$WORK/back" -o "$WORK/report" &&
	cat "$WORK/go" "$WORK/back" && head -n 1 "$WORK/report"
