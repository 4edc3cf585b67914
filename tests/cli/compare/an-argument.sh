# SPDX-License-Identifier: MIT
"$MAPTOOL" compare map.json
