# SPDX-License-Identifier: MIT
"$MAPTOOL" spread --pool rbd
