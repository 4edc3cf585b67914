# SPDX-License-Identifier: MIT
"$MAPTOOL" fail - --join - --each host
