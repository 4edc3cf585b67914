# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/broken.json
