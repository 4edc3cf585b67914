# SPDX-License-Identifier: MIT
"$MAPTOOL" check - --join - <maps/small.json
