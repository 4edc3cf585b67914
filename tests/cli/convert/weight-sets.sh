# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/weight-sets.crush.json --to json
