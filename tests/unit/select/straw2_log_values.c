/* SPDX-License-Identifier: MIT */
/* Writes the logarithm of every input, 64 bits each, lowest byte first. */
#include <stdio.h>

#include "select.h"

int main(void)
{
	for (uint32_t u = 0; u <= 0xffff; u++) {
		uint64_t value = select_straw2_log(u);

		for (int byte = 0; byte < 8; byte++)
			putchar((int)(value >> (8 * byte) & 0xff));
	}
	return ferror(stdout) ? 1 : 0;
}
