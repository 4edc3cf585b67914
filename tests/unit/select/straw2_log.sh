#!/bin/sh
# SPDX-License-Identifier: MIT
# straw2_log.sh VALUES TABLES SOURCE: the logarithm's values are the reference's, and its tables are
# what their generator makes.
values=$1 tables=$2 source=$3
expected=7e86f34e8fedc36c3b6252e5a6e4fe3fa4e115ed44e16f58f7fed6543aa1bd20
status=0

sum=$("$values" | sha256sum | cut -d ' ' -f 1)
if [ "$sum" != "$expected" ]; then
	echo "the values have the sum $sum, not $expected"
	status=1
fi
if ! "$tables" | diff - "$source/lib/select/straw2_log_tables.h"; then
	echo "lib/select/straw2_log_tables.h is not what tools/dev/straw2_log_tables.c makes"
	status=1
fi
exit $status
