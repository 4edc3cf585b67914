#!/bin/sh
# SPDX-License-Identifier: MIT
# schema.sh ROOT MAPTOOL: check_schema.py with a Python that has a validator, or 77.
for python in python3 /usr/bin/python3; do
	! "$python" -c 'import jsonschema' 2>/dev/null ||
		exec "$python" "$(dirname "$0")/check_schema.py" "$@"
done
echo "no python3 with jsonschema (apt-get install python3-jsonschema)"
exit 77
