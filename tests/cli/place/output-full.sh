# SPDX-License-Identifier: MIT
[ -c /dev/full ] || exit 4
"$MAPTOOL" place maps/small.json -o /dev/full 2>/dev/null; echo $?
"$MAPTOOL" place maps/small.json >/dev/full
