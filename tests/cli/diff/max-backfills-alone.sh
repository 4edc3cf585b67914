# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --max-backfills 2
