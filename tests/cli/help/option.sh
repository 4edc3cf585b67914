# SPDX-License-Identifier: MIT
"$MAPTOOL" help >"$WORK/1" && "$MAPTOOL" --help | cmp - "$WORK/1"
"$MAPTOOL" -h | cmp - "$WORK/1"
