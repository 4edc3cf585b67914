# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/many-faults.json | tail -n 5
