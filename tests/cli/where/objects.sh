# SPDX-License-Identifier: MIT
printf "a\t4096\nb\n" | "$MAPTOOL" where maps/small.json --item default --pool rbd --objects-from -
