# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/faults.json
