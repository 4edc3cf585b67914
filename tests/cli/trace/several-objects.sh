# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --pool rbd --object a --object b
