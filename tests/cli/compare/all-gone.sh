# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --nodes 1 --event fail:node-1
