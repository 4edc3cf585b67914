# SPDX-License-Identifier: MIT
"$MAPTOOL" fail --help
