# SPDX-License-Identifier: MIT
"$MAPTOOL" bench a b --join maps/small.json
