/* SPDX-License-Identifier: MIT */
#include "format_write.h"

/* How many bytes follow the first one of a character, and the least number that takes so
 * many; -1 when no character starts so. */
static int count_following(unsigned char first, uint32_t *least)
{
	*least = 0;
	if (first < 0x80)
		return 0;
	*least = first < 0xe0 ? 0x80 : first < 0xf0 ? 0x800 : 0x10000;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

size_t format_utf8_len(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	uint32_t least, number;
	int following = count_following(text[0], &least);

	if (following <= 0)
		return following == 0;
	number = text[0] & (0x3fu >> following);
	for (int i = 1; i <= following; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		number = number << 6 | (text[i] & 0x3fu);
	}
	if (number < least || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff))
		return 0;
	return (size_t)following + 1;
}

bool format_is_utf8(const char *text)
{
	while (*text != '\0') {
		size_t len = format_utf8_len(text);

		if (len == 0)
			return false;
		text += len;
	}
	return true;
}
