# SPDX-License-Identifier: MIT
"$MAPTOOL" version >"$WORK/1" && "$MAPTOOL" --version | cmp - "$WORK/1"
