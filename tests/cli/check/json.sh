# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/names-alike.crush.json --report json
