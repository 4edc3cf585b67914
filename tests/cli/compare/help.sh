# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --help
