# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --event add:node-1
