# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --rule ec-hosts --size 3 --item h1 --fail-if lost >/dev/null
