# SPDX-License-Identifier: MIT
"$MAPTOOL" fail ../../maps/three-hosts.json --each host
