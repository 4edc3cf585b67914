# SPDX-License-Identifier: MIT
"$MAPTOOL" convert maps/small.json --to ceph-osd-dump
