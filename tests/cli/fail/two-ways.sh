# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each host --item h1
