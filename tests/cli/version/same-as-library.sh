# SPDX-License-Identifier: MIT
"$MAPTOOL" version | grep -q "^maptool \([0-9.]*\) (libstrew \1)\$"
