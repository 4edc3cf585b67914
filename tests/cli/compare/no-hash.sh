# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --hash md4
