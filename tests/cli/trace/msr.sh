# SPDX-License-Identifier: MIT
"$MAPTOOL" trace ../golden/msr/two-level.crush --rule 0 --size 4 --x 5 --candidates 1
