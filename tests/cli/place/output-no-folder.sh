# SPDX-License-Identifier: MIT
cd "$WORK" && "$MAPTOOL" place "$OLDPWD/maps/small.json" -o none/file
