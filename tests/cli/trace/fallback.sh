# SPDX-License-Identifier: MIT
"$MAPTOOL" trace ../golden/crush/local-fallback.crush --rule 0 --size 4 --x 0
