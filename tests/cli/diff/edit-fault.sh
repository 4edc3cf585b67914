# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json -e "move h9 to default"
