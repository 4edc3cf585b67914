# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --node a=-1
