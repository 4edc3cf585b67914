# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --nodes 600 --scheme glb
