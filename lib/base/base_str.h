/* SPDX-License-Identifier: MIT */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>

#include <strew/alloc.h>
#include <strew/common.h>

#include "base_vec.h"

/**
 * A string that is put together piece by piece. Running out of memory sticks: the pieces
 * after it are dropped, and base_str_ok() says so at the end.
 */
struct base_str {
	struct base_vec bytes;
	const strew_allocator *allocator;
	bool failed;
};

void base_str_init(struct base_str *str, const strew_allocator *allocator);
void base_str_free(struct base_str *str);
void base_str_clear(struct base_str *str);
void base_str_add(struct base_str *str, const char *text);
void base_str_add_bytes(struct base_str *str, const char *bytes, size_t count);
void base_str_addf(struct base_str *str, const char *format, ...) STREW_PRINTF(2, 3);
void base_str_addv(struct base_str *str, const char *format, va_list args)
	STREW_PRINTF(2, 0);
/** The same, made harmless to a terminal. */
void base_str_add_printable(struct base_str *str, const char *text);
/** The text so far, never NULL. */
const char *base_str_text(const struct base_str *str);
size_t base_str_len(const struct base_str *str);
bool base_str_ok(const struct base_str *str);

/** Make text harmless to a terminal: control characters become "?".
 * Names come from files. */
void base_str_make_printable(char *text);

/** The name that is most like `word`, or NULL when none is near: for "did you mean".
 * Names end with a NULL. */
const char *base_str_nearest(const char *word, const char *const *names);

#endif
