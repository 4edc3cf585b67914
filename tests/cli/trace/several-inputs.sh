# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --rule hosts --size 3
