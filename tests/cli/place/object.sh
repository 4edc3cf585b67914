# SPDX-License-Identifier: MIT
"$MAPTOOL" place maps/small.json --pool rbd --object vm-17/disk0 --object foo
