# SPDX-License-Identifier: MIT
"$MAPTOOL" show maps/small.json --threads 1 --progress never --kernel plain |
	cmp - show/plain.out
