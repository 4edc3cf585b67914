# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --pool rbd --level rack --report csv --table domains
