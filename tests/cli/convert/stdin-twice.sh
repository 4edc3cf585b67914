# SPDX-License-Identifier: MIT
"$MAPTOOL" convert - --join -
