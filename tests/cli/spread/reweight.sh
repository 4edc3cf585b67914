# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --pool rbd --reweight osd.7 0
