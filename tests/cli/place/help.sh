# SPDX-License-Identifier: MIT
"$MAPTOOL" place --help
