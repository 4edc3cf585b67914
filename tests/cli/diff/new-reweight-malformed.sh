# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small.json --new-reweight osd.1 1.5
