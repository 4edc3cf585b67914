# SPDX-License-Identifier: MIT
cd "$WORK" && printf "out 0\nmove  h99 to default\n" >changes.txt
"$MAPTOOL" edit "$OLDPWD/maps/small.json" -f changes.txt
