# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 5000 --nodes 5 --scheme all --untimed --replicas 3 \
	--event fail:node-2 --event drain:node-3 --event add:new=2 --event reweight:node-1=3 \
	--event churn:20
