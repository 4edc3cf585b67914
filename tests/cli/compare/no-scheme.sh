# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --scheme rong
