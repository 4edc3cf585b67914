# SPDX-License-Identifier: MIT
"$MAPTOOL" show ../../maps/mixed.json --shadow | sed -n "3,9p"
