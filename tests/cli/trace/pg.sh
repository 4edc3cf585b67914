# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --pg 2.3 --candidates 1
