# SPDX-License-Identifier: MIT
"$MAPTOOL" where --help
