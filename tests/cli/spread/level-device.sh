# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --pool rbd --level device
