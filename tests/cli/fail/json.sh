# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each device --pool rbd --report json
