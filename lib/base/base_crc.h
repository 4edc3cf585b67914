/* SPDX-License-Identifier: MIT */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/** CRC-32C as Ceph has it: started with ~0 and not inverted at the end. `crc` is what
 * came of the bytes before. */
#define BASE_CRC_START UINT32_MAX
uint32_t base_crc32c(uint32_t crc, const void *bytes, size_t count);

#endif
