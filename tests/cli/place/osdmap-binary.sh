# SPDX-License-Identifier: MIT
"$MAPTOOL" place ../golden/osdmap/upmap.osdmap --layout osdmaptool
