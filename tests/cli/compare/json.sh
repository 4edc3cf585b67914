# SPDX-License-Identifier: MIT
"$MAPTOOL" compare --count 500 --nodes 3 --untimed --scheme jump --event fail:node-3 --report json
