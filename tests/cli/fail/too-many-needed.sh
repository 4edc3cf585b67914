# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each host --min-size 9
