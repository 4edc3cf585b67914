/* SPDX-License-Identifier: MIT */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

#include <strew/error.h>

/** Fill in an error, when there is one to fill in, without a place.
 * @return status, so that a function can fail in one statement. */
strew_status base_error_set(strew_error *error, strew_status status, const char *format,
			    ...) STREW_PRINTF(3, 4);

/** The same with a place: where may be NULL or a file, a JSON pointer or both; line and
 * column from 1, or 0. Text that is too long is cut at a character; control characters
 * become "?". */
strew_status base_error_at(strew_error *error, strew_status status, const char *where,
			   int line, int column, const char *format, ...)
	STREW_PRINTF(6, 7);
strew_status base_error_vat(strew_error *error, strew_status status, const char *where,
			    int line, int column, const char *format, va_list args)
	STREW_PRINTF(6, 0);

/** STREW_ENOMEM with its standard sentence. */
strew_status base_error_nomem(strew_error *error);

#endif
