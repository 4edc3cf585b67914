# SPDX-License-Identifier: MIT
"$MAPTOOL" fail maps/small.json --each host --backfillfull-ratio 90
