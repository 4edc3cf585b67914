# SPDX-License-Identifier: MIT
"$MAPTOOL" check ../cases/maps/c04-ec4p2-3-chassis.json --size 6 --count 20000 --ignore id-unpinned
