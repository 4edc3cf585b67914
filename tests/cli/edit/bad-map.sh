# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/broken.json -e "out 0"
