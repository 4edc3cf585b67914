# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 5000 --untimed --node a=1 --node b=2 --node c=0.5 --node d=0 \
	--scheme straw2 --scheme carp --scheme naive-weights --scheme ring --event reweight:b=1
