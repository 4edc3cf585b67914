# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/three-dc.json --each rack
