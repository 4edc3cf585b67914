# SPDX-License-Identifier: MIT
"$MAPTOOL" trace trace/help.sh --pg 1.5
