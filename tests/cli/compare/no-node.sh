# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --event fail:node-9
