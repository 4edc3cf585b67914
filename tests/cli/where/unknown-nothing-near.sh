# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item somewhere-else
