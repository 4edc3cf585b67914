# SPDX-License-Identifier: MIT
"$MAPTOOL" where maps/small.json --item rack:r2 --pool archive
