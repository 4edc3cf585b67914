# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --event churn:0
