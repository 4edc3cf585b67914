# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --pg 1.ffff
