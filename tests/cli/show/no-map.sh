# SPDX-License-Identifier: MIT
"$MAPTOOL" show
