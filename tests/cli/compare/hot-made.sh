# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --hot 3 --copies 2
