# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --keys x --count 3
