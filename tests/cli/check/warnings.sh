# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/stale-weight.crush.json
