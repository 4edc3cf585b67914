# SPDX-License-Identifier: MIT
"$MAPTOOL" help plac
