# SPDX-License-Identifier: MIT
"$MAPTOOL" check - <maps/small.json
