/* SPDX-License-Identifier: MIT */
#include "base_str.h"

#include <stdio.h>
#include <string.h>

void base_str_init(struct base_str *str, const strew_allocator *allocator)
{
	memset(str, 0, sizeof(*str));
	str->allocator = allocator;
}

void base_str_free(struct base_str *str)
{
	base_vec_free(&str->bytes, str->allocator);
}

void base_str_clear(struct base_str *str)
{
	str->bytes.count = 0;
	str->failed = false;
}

void base_str_add_bytes(struct base_str *str, const char *bytes, size_t count)
{
	char *room = base_vec_extend(&str->bytes, str->allocator, 1, count + 1);

	if (room == NULL) {
		str->failed = true;
		return;
	}
	if (count > 0)
		memcpy(room, bytes, count);
	str->bytes.count--; /* the end mark isn't counted */
}

void base_str_add(struct base_str *str, const char *text)
{
	base_str_add_bytes(str, text, strlen(text));
}

void base_str_addv(struct base_str *str, const char *format, va_list args)
{
	va_list again;
	char *room = NULL;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len >= 0)
		room = base_vec_extend(&str->bytes, str->allocator, 1, (size_t)len + 1);
	if (room == NULL) {
		str->failed = true;
		return;
	}
	vsnprintf(room, (size_t)len + 1, format, args);
	str->bytes.count--;
}

void base_str_addf(struct base_str *str, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	base_str_addv(str, format, args);
	va_end(args);
}

const char *base_str_text(const struct base_str *str)
{
	return str->bytes.count ? str->bytes.items : "";
}

size_t base_str_len(const struct base_str *str)
{
	return str->bytes.count;
}

bool base_str_ok(const struct base_str *str)
{
	return !str->failed;
}

static bool is_control(const unsigned char *at)
{
	/* In UTF-8, the second set of control characters is 0xc2 and 0x80 to 0x9f. */
	return at[0] < 0x20 || at[0] == 0x7f ||
	       (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f);
}

void base_str_make_printable(char *text)
{
	unsigned char *at = (unsigned char *)text;

	for (; *at; at++) {
		if (!is_control(at))
			continue;
		if (at[0] == 0xc2)
			*at++ = '?';
		*at = '?';
	}
}

void base_str_add_printable(struct base_str *str, const char *text)
{
	size_t from = str->bytes.count;

	base_str_add(str, text);
	if (base_str_ok(str) && str->bytes.count > from)
		base_str_make_printable((char *)str->bytes.items + from);
}

#define WORD_MAX 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein's distance, in one row. */
static size_t distance(const char *a, const char *b)
{
	size_t row[WORD_MAX + 1], la = strlen(a), lb = strlen(b);

	if (la > WORD_MAX || lb > WORD_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[j] = j;
	for (size_t i = 1; i <= la; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1,
				      diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[lb];
}

const char *base_str_nearest(const char *word, const char *const *names)
{
	/* A third of the word may be wrong, at most; beyond that a guess is no help. */
	size_t best = strlen(word) / 3 + 1;
	const char *nearest = NULL;

	for (; *names; names++) {
		size_t d = distance(word, *names);

		if (d < best || (d == best && nearest == NULL && d < strlen(word))) {
			best = d;
			nearest = *names;
		}
	}
	return nearest;
}
