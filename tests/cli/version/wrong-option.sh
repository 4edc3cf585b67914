# SPDX-License-Identifier: MIT
"$MAPTOOL" version --long
