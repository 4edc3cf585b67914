# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json --anonymise
