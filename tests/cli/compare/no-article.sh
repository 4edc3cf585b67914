# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --article E99
