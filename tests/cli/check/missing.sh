# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/no-such.json
