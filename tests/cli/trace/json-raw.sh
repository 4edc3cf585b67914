# SPDX-License-Identifier: MIT
"$MAPTOOL" trace ../golden/crush/choose-args-pos.crush --rule 0 --size 3 --x 5 --choose-args 0 \
	--report json
