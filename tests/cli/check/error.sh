# SPDX-License-Identifier: MIT
"$MAPTOOL" check maps/device-twice.crush.json
