# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --scheme glb --event churn:10000
