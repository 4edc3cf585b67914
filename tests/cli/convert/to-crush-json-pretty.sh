# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json --to crush-json --lossy --pretty 2>/dev/null | head -12
