# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item osd.3 --rule 0 --size 1024 --inputs 0-4294967295
