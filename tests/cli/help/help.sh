# SPDX-License-Identifier: MIT
"$MAPTOOL" help help
