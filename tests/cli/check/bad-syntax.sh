# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/broken.json
