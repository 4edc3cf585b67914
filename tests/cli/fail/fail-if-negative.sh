# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --rule hosts --size 2 --each host --fail-if fill-above:-1
