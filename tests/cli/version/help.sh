# SPDX-License-Identifier: MIT
"$MAPTOOL" version --help
