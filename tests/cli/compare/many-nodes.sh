# SPDX-License-Identifier: MIT
# Who names none gets those that take so many nodes.
"$MAPTOOL" compare --count 2000 --nodes 512 --event add:new --untimed --report csv | cut -d , -f 1,2
