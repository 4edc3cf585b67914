# SPDX-License-Identifier: MIT
"$MAPTOOL" diff --help
