#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints lib/select/study_log_table.h."""
from decimal import Decimal, getcontext

getcontext().prec = 60
print("""/* SPDX-License-Identifier: MIT */
/* Made by tools/dev/study_log_table.py. */
#ifndef STUDY_LOG_TABLE_H
#define STUDY_LOG_TABLE_H

#include <stdint.h>

/** For each 128th from 1 to 2: its reciprocal, rounded up, times 2^64; and -log2 of that
 * reciprocal times 2^63. The first is 1 itself: not looked up. */
static const struct study_log_entry {
	uint64_t reciprocal;
	uint64_t log;
} study_log_table[128] = {""")
for i in range(128):
    reciprocal, log = 0, 0
    if i > 0:
        exact = Decimal(2) ** 64 / (1 + Decimal(i) / 128)
        reciprocal = int(exact) + (exact != int(exact))
        log = -(Decimal(reciprocal) / Decimal(2) ** 64).ln() / Decimal(2).ln()
        log = int((log * 2 ** 63).to_integral_value())
    print("\t{0x%016x, 0x%016x}," % (reciprocal, log))
print("};\n\n#endif")
