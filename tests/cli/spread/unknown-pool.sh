# SPDX-License-Identifier: MIT
"$MAPTOOL" spread maps/small.json --pool rdb
