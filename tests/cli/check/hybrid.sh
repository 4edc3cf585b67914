# SPDX-License-Identifier: MIT
"$MAPTOOL" check ../cases/maps/c06-hybrid-1ssd-2hdd.json --ignore id-unpinned --strict
