# SPDX-License-Identifier: MIT
"$MAPTOOL" edit maps/small.json -e "reweight h1 60000" -e "reweight h2 60000"
