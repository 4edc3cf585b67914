# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --item host:h3 --item osd.0
