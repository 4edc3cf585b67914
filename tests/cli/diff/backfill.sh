# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --backfill-rate 60MB --max-backfills 2
