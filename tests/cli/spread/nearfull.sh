# SPDX-License-Identifier: MIT
sed 's/6TiB/7TiB/' ../../maps/flat.json | "$MAPTOOL" spread - --color always | grep nearfull
