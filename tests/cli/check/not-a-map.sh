# SPDX-License-Identifier: MIT
"$MAPTOOL" check - <../../README.md
