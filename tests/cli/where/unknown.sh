# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item h33
