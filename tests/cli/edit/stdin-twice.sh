# SPDX-License-Identifier: MIT
echo "out 0" | "$MAPTOOL" edit - -f -
