/* SPDX-License-Identifier: MIT */
#include "format_words.h"

#include <string.h>

#include <strew/builder.h>

static const struct format_word *find_word(const char *text, size_t len);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "format_words.gperf.h"
#pragma GCC diagnostic pop

const struct format_word *format_word(const char *text, size_t len)
{
	return find_word(text, len);
}

const struct format_word *format_word_of(enum format_form form, const char *text)
{
	const struct format_word *word = find_word(text, strlen(text));

	return word && word->form == (int)form ? word : NULL;
}

const char *format_word_for(enum format_form form, int64_t value)
{
	for (size_t i = 0; i <= MAX_HASH_VALUE; i++)
		if (words[i].name[0] != '\0' && words[i].form == (int)form &&
		    words[i].value == value)
			return words[i].name;
	return NULL;
}
