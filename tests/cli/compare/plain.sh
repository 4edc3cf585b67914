# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 20000 --untimed
