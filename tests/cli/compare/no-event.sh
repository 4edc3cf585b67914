# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --event die:node-1
