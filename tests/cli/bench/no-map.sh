# SPDX-License-Identifier: MIT
"$MAPTOOL" bench tyni --quick
