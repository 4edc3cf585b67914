# SPDX-License-Identifier: MIT
"$MAPTOOL" help place diff
