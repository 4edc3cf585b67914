# SPDX-License-Identifier: MIT
"$MAPTOOL" trace maps/small.json --pool rbd --object vm-17/disk0
