# SPDX-License-Identifier: MIT
"$MAPTOOL" place - --objects-from -
