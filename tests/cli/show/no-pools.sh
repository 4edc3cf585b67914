# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/no-pools.json
