# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e "out 0" --to xml
