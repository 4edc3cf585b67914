# SPDX-License-Identifier: MIT
# What is written is no result.
"$MAPTOOL" convert maps/small.json --report json
