# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --fail-above 99.5 >/dev/null
