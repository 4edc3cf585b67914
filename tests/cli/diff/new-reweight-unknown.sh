# SPDX-License-Identifier: MIT
# Only OLD has osd.9, and only NEW is reweighted.
"$MAPTOOL" diff maps/small+host.json maps/small.json --reweight osd.9 0.5 --new-reweight osd.9 0
