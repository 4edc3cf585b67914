# SPDX-License-Identifier: MIT
"$MAPTOOL" check ../../maps/three-dc.json --strict --ignore rule-level
