# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json --to crush-json --lossy
