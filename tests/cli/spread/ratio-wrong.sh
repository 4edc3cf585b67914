# SPDX-License-Identifier: MIT
"$MAPTOOL" spread ../../maps/flat.json --nearfull-ratio 85
