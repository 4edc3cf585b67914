# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/no-pools.json --item osd.0
