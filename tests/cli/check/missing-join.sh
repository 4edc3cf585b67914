# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/small.json --join maps/no-such.json
