# SPDX-License-Identifier: MIT
"$MAPTOOL" spread --help
