# SPDX-License-Identifier: MIT
# Beyond the last row of a weight set, that one is used.
"$MAPTOOL" trace ../golden/crush/choose-args-pos.crush --rule 0 --size 5 --x 5 --choose-args 0 \
	--candidates 0 --report csv | cut -d, -f4,9,13 | sort -u
