# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --pairs rack --fail-if lost --report csv --table summary
