/* SPDX-License-Identifier: MIT */
#include "format_keys.h"

#include <string.h>

struct key_word {
	const char *name;
	int key;
};

static const struct key_word *find_key(const char *name, size_t len);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "format_keys.gperf.h"
#pragma GCC diagnostic pop

int format_key(const char *name)
{
	const struct key_word *word = find_key(name, strlen(name));

	return word ? word->key : -1;
}

const char *format_key_name(enum format_key key)
{
	for (size_t i = 0; i <= MAX_HASH_VALUE; i++)
		if (key_words[i].name[0] != '\0' && key_words[i].key == (int)key)
			return key_words[i].name;
	return "";
}
