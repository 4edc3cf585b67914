# SPDX-License-Identifier: MIT
"$MAPTOOL" diff - maps/small.json --join - <maps/small.json
