# SPDX-License-Identifier: MIT
# None differs.
"$MAPTOOL" compare --article all --report csv | grep -v -e ,holds -e "needs --keys"
