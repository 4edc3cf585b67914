# SPDX-License-Identifier: MIT
"$MAPTOOL" diff maps/small.json maps/small+host.json --ceph-commands go -o go
