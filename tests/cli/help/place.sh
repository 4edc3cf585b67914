# SPDX-License-Identifier: MIT
"$MAPTOOL" place --help >"$WORK/1" && "$MAPTOOL" help place | cmp - "$WORK/1"
