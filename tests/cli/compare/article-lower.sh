# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article t3
