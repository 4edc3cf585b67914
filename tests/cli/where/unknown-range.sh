# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item 90-99
