# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/stale-weight.crush.json --report csv --table summary
