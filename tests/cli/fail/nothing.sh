# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json
