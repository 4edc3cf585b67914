# SPDX-License-Identifier: MIT
"$MAPTOOL" deploy
