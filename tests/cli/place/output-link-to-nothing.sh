# SPDX-License-Identifier: MIT
ln -s none "$WORK/link"; ln -s loop "$WORK/loop"
"$MAPTOOL" place maps/small.json --pg 1.0 -o "$WORK/link" 2>/dev/null; echo $?
"$MAPTOOL" place maps/small.json --pg 1.0 -o "$WORK/loop" 2>/dev/null; echo $?
ls -A "$WORK"; readlink "$WORK/link" "$WORK/loop"
