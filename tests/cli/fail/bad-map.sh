# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/broken.json --each host
