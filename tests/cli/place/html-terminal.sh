# SPDX-License-Identifier: MIT
# To a terminal no page is written.
script -q -c true /dev/null >/dev/null 2>&1 || { echo "no terminal can be made" >&2; exit 77; }
script -q -e -c '"$MAPTOOL" place maps/small.json --report html' /dev/null
