# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --untimed --nodes 1 --count 100 --scheme jump
