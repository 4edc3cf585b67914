# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --node a --node a
