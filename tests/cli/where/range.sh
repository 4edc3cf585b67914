# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item 0-1 --item 6 --pool 2
