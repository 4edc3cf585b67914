# SPDX-License-Identifier: MIT
"$MAPTOOL" check
