# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item osd.3 --report csv
