# SPDX-License-Identifier: MIT
"$MAPTOOL" version now
