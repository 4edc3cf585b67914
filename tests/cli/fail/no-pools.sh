# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/no-pools.json --each host
