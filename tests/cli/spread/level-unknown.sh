# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --level row
