#!/bin/sh
# SPDX-License-Identifier: MIT
# Skipped where Ceph's programs, or Python, aren't installed.
for program in ceph-mon ceph monmaptool osdmaptool crushtool; do
	command -v "$program" >/dev/null || { echo "skipped: no $program"; exit 77; }
done
for python in python3 /usr/bin/python3; do
	! "$python" -c 'import json' 2>/dev/null ||
		exec "$python" "$(dirname "$0")/check_monitor.py" "$@"
done
echo "skipped: no python3"
exit 77
