# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json -o "$WORK/none/file" 2>&1 | sed "s|$WORK|WORK|"
