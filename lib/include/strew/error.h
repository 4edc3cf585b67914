/* SPDX-License-Identifier: MIT */
#ifndef STREW_ERROR_H
#define STREW_ERROR_H

#include <strew/common.h>

STREW_BEGIN_DECLS

/** One list makes the enum, the names, the texts and the documentation. */
#define STREW_STATUS_LIST(X)                                                             \
	X(OK, 0, "success")                                                              \
	X(ENOMEM, -1, "out of memory")                                                   \
	X(EINVAL, -2, "invalid argument")                                                \
	X(EIO, -3, "input or output failed")                                             \
	X(EFORMAT, -4, "not in a known format")                                          \
	X(ESYNTAX, -5, "malformed input")                                                \
	X(EMAP, -6, "the map breaks a rule of the model")                                \
	X(ENOTFOUND, -7, "no such item")                                                 \
	X(ERANGE, -8, "value out of range")                                              \
	X(ENOTSUP, -9, "not supported by this format or build")                          \
	X(ECANCELED, -10, "canceled by the caller")                                      \
	X(EINTERNAL, -11, "internal error")

#define STREW_STATUS_ENUM(name, value, text) STREW_##name = value,
typedef enum strew_status { STREW_STATUS_LIST(STREW_STATUS_ENUM) } strew_status;
#undef STREW_STATUS_ENUM

/**
 * What went wrong. The caller owns it, and may pass NULL where one is taken.
 *
 * A function that succeeds leaves it alone. The deepest message wins, because
 * it knows most.
 */
typedef struct strew_error {
	strew_status status;
	int line;        /**< from 1; 0 when unknown */
	int column;      /**< from 1, in bytes; 0 when unknown */
	char where[256]; /**< file, with a JSON pointer where there are no lines; or "" */
	char text[768];  /**< a whole sentence to show to a person, without the place */
} strew_error;

/** "STREW_EMAP" and the like; "unknown" for a number that is no status. */
STREW_API const char *strew_status_name(strew_status status);

/** A short text for a status, such as "out of memory". */
STREW_API const char *strew_status_text(strew_status status);

STREW_END_DECLS

#endif
