# SPDX-License-Identifier: MIT
"$MAPTOOL" place - --pool archive <maps/small.json
