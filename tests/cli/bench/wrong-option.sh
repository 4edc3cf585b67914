# SPDX-License-Identifier: MIT
"$MAPTOOL" bench --inputs 0-9
