# SPDX-License-Identifier: MIT
# The file that is read may be the one that is written.
cp maps/small.json "$WORK/map"
"$MAPTOOL" convert "$WORK/map" -o "$WORK/map" && head -n 3 "$WORK/map"
ls "$WORK"
