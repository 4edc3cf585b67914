# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json
