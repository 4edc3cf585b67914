# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 500 --nodes 3 --untimed --report csv --table nodes --scheme jump
