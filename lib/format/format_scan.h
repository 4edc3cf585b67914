/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_SCAN_H
#define FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The tokens of CRUSH text. White space and comments (# to the end of the line) separate
 * words and are otherwise free; brackets stand for themselves. */
enum format_token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_OPEN,  /* { */
	TOKEN_CLOSE, /* } */
	TOKEN_LIST,  /* [ */
	TOKEN_LIST_END
};

struct format_token {
	enum format_token_kind kind;
	bool starts_line;
	const char
		*text; /* of a word; ends with a NUL, as long as the scan's copy lives */
	size_t len;
	int line, column; /* from 1 */
};

/** Where a text is being read. A copy of the struct is a place to come back to. */
struct format_scan {
	const char *bytes;
	char *copy; /* of the bytes and one more: there words end with a NUL */
	size_t count;
	size_t at;
	size_t line_start;
	int line;
};

/** Go past white space and comments. @return whether a line begins */
bool format_scan_blanks(struct format_scan *scan);
/** The next token; at the end there is one TOKEN_END after the other. */
struct format_token format_scan_next(struct format_scan *scan);

/** Is the token this word? */
bool format_token_is(const struct format_token *token, const char *word);
/** The first byte of a word that no name may have, or its length. */
size_t format_token_bad(const struct format_token *token);
/** Is a text a name as CRUSH text can have it: letters, digits, - _ and . of ASCII? */
bool format_is_name(const char *text);
/** Decimal digits, perhaps after a minus. @return false when it is none, or not within
 * min … max. */
bool format_token_integer(const struct format_token *token, int64_t min, int64_t max,
			  int64_t *out);
/** Is the word a decimal number with a sign, fraction or exponent, or without? */
bool format_token_is_real(const struct format_token *token);

#endif
