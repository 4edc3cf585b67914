# SPDX-License-Identifier: MIT
"$MAPTOOL" place -x maps/small.json
