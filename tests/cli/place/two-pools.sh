# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pool archive --pool=rbd --report csv
