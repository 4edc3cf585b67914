# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --item h1 --level device --report csv --table recovery
