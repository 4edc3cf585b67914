# SPDX-License-Identifier: MIT
"$MAPTOOL" edit -e "out 0"
