# SPDX-License-Identifier: MIT
printf 'a\na\0b\n' | "$MAPTOOL" place maps/small.json --pool rbd --objects-from -
