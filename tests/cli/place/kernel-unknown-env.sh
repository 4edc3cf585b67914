# SPDX-License-Identifier: MIT
STREW_KERNEL=fast "$MAPTOOL" place maps/small.json
