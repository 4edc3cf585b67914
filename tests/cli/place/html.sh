# SPDX-License-Identifier: MIT
# A page, in all that can be told of it without a browser.
"$MAPTOOL" place maps/small.json --report html -o "$WORK/page.html" || exit
grep -E -c '^<(!DOCTYPE html>|h2>Placements|/html>)' "$WORK/page.html"
grep -o 'src=\|href=\|Content-Security-Policy" content="default-src .none.' "$WORK/page.html"
