# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item host:r2
