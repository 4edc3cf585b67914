# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/broken.json
