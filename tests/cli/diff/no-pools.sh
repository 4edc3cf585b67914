# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/no-pools.json maps/no-pools.json
