# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --hot 3
