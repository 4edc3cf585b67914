# SPDX-License-Identifier: MIT
map=../cases/maps/c15-add-device-class-94pct.json
"$MAPTOOL" diff $map $map --rule plain --new-rule classed --size 3 --inputs 0-4095 --by position
"$MAPTOOL" diff $map -e 'out 3' --rule plain --size 3 --inputs 0-65535 --report csv --table cures
