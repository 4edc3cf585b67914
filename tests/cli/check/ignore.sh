# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/device-twice.crush.json --strict \
	--ignore device-in-two-places --ignore weight-stored --ignore rule-tries
