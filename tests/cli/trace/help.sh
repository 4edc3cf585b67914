# SPDX-License-Identifier: MIT
"$MAPTOOL" trace --help
