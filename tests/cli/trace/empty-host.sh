# SPDX-License-Identifier: MIT
"$MAPTOOL" trace ../golden/crush/empty-hosts.crush --rule 0 --size 3 --x 1 --candidates 1
