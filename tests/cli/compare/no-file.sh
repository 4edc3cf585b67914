# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --keys nowhere.tsv
