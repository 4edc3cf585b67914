# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --pairs root
