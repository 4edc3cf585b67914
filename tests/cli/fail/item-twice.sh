# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --rule hosts --size 2 --item osd.1 --item 0-1 --item osd.1
