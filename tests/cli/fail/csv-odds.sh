# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/mixed.json --each host --report csv --table odds
