# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each host --rule ec-hosts --size 3 --report json
