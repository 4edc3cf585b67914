# SPDX-License-Identifier: MIT
"$MAPTOOL" place run.sh
