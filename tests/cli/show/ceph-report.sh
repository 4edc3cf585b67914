# SPDX-License-Identifier: MIT
"$MAPTOOL" show ../formats/valid/ceph-report/input.json
