# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/no-pools.json
