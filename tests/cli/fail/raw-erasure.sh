# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each rack --rule ec-hosts --size 3 --k 2 --inputs 0-99
