# SPDX-License-Identifier: MIT
"$MAPTOOL" spread ../../maps/three-dc.json
