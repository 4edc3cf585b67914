# SPDX-License-Identifier: MIT
"$MAPTOOL" help >"$WORK/1" && "$MAPTOOL" | cmp - "$WORK/1"
