# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/three-dc.json --each host --odds 0
