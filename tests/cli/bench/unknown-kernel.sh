# SPDX-License-Identifier: MIT
"$MAPTOOL" bench tiny --kernel fast
