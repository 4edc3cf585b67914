# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article E1 --nodes 9
