# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/small.json --size 0
