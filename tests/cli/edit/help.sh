# SPDX-License-Identifier: MIT
"$MAPTOOL" help edit
