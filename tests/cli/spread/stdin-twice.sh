# SPDX-License-Identifier: MIT
"$MAPTOOL" spread - --join -
