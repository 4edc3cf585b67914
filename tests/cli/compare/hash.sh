# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 1000 --untimed --scheme modulo --hash md5-folded --raw --nodes 32 |
	head -n 4
