# SPDX-License-Identifier: MIT
"$MAPTOOL" convert --help
