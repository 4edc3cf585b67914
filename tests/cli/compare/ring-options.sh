# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 1000 --untimed --scheme ring --labels 4 --scheme groups --branch 4 \
	--scheme glb --rows 64
