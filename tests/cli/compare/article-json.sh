# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article T9 --article H1 --report json
