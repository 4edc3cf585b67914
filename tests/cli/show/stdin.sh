# SPDX-License-Identifier: MIT
"$MAPTOOL" show - <maps/small.json | head -n 1
