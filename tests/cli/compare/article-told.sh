# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article A22
