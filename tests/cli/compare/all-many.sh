# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 500 --nodes 60 --event churn:5 --scheme all --untimed \
	--report csv | cut -d , -f 1,2
