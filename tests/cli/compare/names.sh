# SPDX-License-Identifier: MIT
# A name may have "=" in it, and be one that a churn would have given.
"$MAPTOOL" compare --untimed --count 1000 --scheme rendezvous --node a=b=1 --node joined-1=1 \
	--node c --event churn:3 --event fail:a=b
