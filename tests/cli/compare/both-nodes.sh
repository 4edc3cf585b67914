# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --node a --nodes 3
