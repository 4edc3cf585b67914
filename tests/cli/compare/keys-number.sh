# SPDX-License-Identifier: MIT
printf 'a\t1\nb\tmany\n' >"$WORK/keys"
cd "$WORK" && "$MAPTOOL" compare --untimed --keys keys
