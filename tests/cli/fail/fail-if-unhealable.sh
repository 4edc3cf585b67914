# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/three-hosts.json --item h1 --fail-if unhealable | head -n 1
"$MAPTOOL" fail ../../maps/three-hosts.json --item h1 --fail-if unhealable >/dev/null
