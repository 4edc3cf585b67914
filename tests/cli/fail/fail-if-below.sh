# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --pairs rack --fail-if below-min-size >/dev/null
