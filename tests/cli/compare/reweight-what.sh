# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --event reweight:node-1
