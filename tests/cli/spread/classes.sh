# SPDX-License-Identifier: MIT
"$MAPTOOL" spread ../../maps/mixed.json | sed -n '/^pools/,/^$/p; /^device classes/,/^$/p'
"$MAPTOOL" spread ../../maps/mixed.json --report csv --table classes | cut -d , -f 1-5
