# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --untimed --nodes 3 --count 3000 --scheme uniform --scheme rendezvous \
	--event drain:node-1 --event reweight:node-2=0
