# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json
