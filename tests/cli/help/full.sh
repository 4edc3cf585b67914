# SPDX-License-Identifier: MIT
"$MAPTOOL" help >/dev/full
