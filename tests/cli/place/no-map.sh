# SPDX-License-Identifier: MIT
"$MAPTOOL" place --pool rbd
