/* SPDX-License-Identifier: MIT */
/*
 * doc/crush.md, section 2: a logarithm in fixed point, wrong in places that all clients
 * of a cluster agree on. Its tables are made by tools/dev/straw2_log_tables.c.
 */
#include "select.h"
#include "straw2_log_tables.h"

uint64_t select_straw2_log(uint32_t u)
{
	uint32_t x = u + 1;
	/* Bring the top bit to bit 15, or leave it at 16. */
	uint32_t shift = x < 0x8000 ? (uint32_t)__builtin_clz(x) - 16 : 0;
	uint64_t scaled = (uint64_t)x << shift;
	uint32_t high = (uint32_t)(scaled >> 8) - 128;
	uint32_t low = (scaled * reciprocals[high] >> 48) & 0xff;

	return ((uint64_t)(15 - shift) << 44) + ((high_logs[high] + low_logs[low]) >> 4);
}
