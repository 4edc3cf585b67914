# SPDX-License-Identifier: MIT
: >"$WORK/keys"
cd "$WORK" && "$MAPTOOL" compare --untimed --keys keys
