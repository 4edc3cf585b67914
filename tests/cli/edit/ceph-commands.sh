# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e 'move host:h3 to rack:r1' -e 'set class osd.0 ssd' \
	-o "$WORK/new.json" --ceph-commands - --undo "$WORK/back" | sed "s,$WORK,WORK," &&
	grep '^ceph' "$WORK/back"
