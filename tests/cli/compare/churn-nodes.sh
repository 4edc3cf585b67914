# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --scheme ring --nodes 100000 --event churn:1000
