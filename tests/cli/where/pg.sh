# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item default --pg 2.3
