# SPDX-License-Identifier: MIT
"$MAPTOOL" where - --item osd.0 --objects-from - <maps/small.json
