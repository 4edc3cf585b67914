# SPDX-License-Identifier: MIT
STREW_KERNEL=plain "$MAPTOOL" place maps/small.json --kernel fast
