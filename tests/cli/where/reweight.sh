# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item osd.7 --reweight osd.7 0
