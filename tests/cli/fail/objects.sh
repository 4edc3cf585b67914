# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --pool rbd --object a --object b --object c --item h1
