# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article all
