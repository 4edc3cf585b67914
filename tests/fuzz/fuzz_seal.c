/* SPDX-License-Identifier: MIT */
/* The checksum of a binary OSD map. It lies behind the whole's head and two framed parts,
 * and is of all bytes but its own. */
#include "base_bytes.h"
#include "base_crc.h"
#include "fuzz.h"

/* A version, the oldest release that can read it, and the length of what follows. */
#define HEAD 6

static void skip_frame(struct base_bytes *from)
{
	base_bytes_get(from, 2, 1);
	base_bytes_get(from, base_bytes_get_u32(from), 1);
}

void fuzz_seal(uint8_t *bytes, size_t count)
{
	struct base_bytes from;
	size_t at;
	uint32_t crc;

	base_bytes_init(&from, bytes, count);
	base_bytes_get(&from, HEAD, 1);
	skip_frame(&from);
	skip_frame(&from);
	at = from.at;
	base_bytes_get_u32(&from);
	if (from.lacks > 0)
		return;
	crc = base_crc32c(BASE_CRC_START, bytes, at);
	crc = base_crc32c(crc, bytes + at + 4, count - at - 4);
	for (int i = 0; i < 4; i++)
		bytes[at + (size_t)i] = (uint8_t)(crc >> (8 * i));
}
