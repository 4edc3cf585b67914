# SPDX-License-Identifier: MIT
"$MAPTOOL" bench tiny --threads 0
