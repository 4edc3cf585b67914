# SPDX-License-Identifier: MIT
"$MAPTOOL" bench --quick maps/faults.json
