# SPDX-License-Identifier: MIT
"$MAPTOOL" bench - -
