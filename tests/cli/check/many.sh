# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/many-warnings.json
