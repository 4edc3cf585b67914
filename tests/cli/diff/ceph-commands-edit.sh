# SPDX-License-Identifier: MIT
# Without a file for NEW.
"$MAPTOOL" diff maps/small.json -e 'reweight osd.3 2' -o "$WORK/report" --undo -
