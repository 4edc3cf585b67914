/* SPDX-License-Identifier: MIT */
#include "format_scan.h"

#include <string.h>

enum byte_class { OTHER, NAME, BLANK, LINE_END, COMMENT, BRACKET };

/* A word is made of bytes of NAME, and of OTHER ones, which no name may have. */
static const uint8_t classes[256] = {
	['a' ... 'z'] = NAME, ['A' ... 'Z'] = NAME, ['0' ... '9'] = NAME,
	['.'] = NAME,         ['-'] = NAME,         ['_'] = NAME,
	[' '] = BLANK,        ['\t'] = BLANK,       ['\r'] = BLANK,
	['\v'] = BLANK,       ['\f'] = BLANK,       ['\n'] = LINE_END,
	['#'] = COMMENT,      ['{'] = BRACKET,      ['}'] = BRACKET,
	['['] = BRACKET,      [']'] = BRACKET,
};

static enum byte_class class_of(char byte)
{
	return (enum byte_class)classes[(unsigned char)byte];
}

static bool is_in_word(char byte)
{
	return class_of(byte) <= NAME;
}

static enum format_token_kind bracket_kind(char bracket)
{
	switch (bracket) {
	case '{':
		return TOKEN_OPEN;
	case '}':
		return TOKEN_CLOSE;
	case '[':
		return TOKEN_LIST;
	default:
		return TOKEN_LIST_END;
	}
}

static void skip_comment(struct format_scan *scan)
{
	const char *end = memchr(scan->bytes + scan->at, '\n', scan->count - scan->at);

	scan->at = end ? (size_t)(end - scan->bytes) : scan->count;
}

bool format_scan_blanks(struct format_scan *scan)
{
	bool is_new = scan->at == 0;

	while (scan->at < scan->count) {
		enum byte_class class = class_of(scan->bytes[scan->at]);

		if (class == COMMENT) {
			skip_comment(scan);
			continue;
		}
		if (class != BLANK && class != LINE_END)
			break;
		scan->at++;
		if (class != LINE_END)
			continue;
		is_new = true;
		scan->line++;
		scan->line_start = scan->at;
	}
	return is_new;
}

struct format_token format_scan_next(struct format_scan *scan)
{
	struct format_token token = {.kind = TOKEN_END, .text = ""};
	size_t start;

	token.starts_line = format_scan_blanks(scan);
	start = scan->at;
	token.line = scan->line;
	token.column = (int)(start - scan->line_start) + 1;
	if (start == scan->count)
		return token;
	if (class_of(scan->bytes[start]) == BRACKET) {
		token.kind = bracket_kind(scan->bytes[scan->at++]);
		return token;
	}
	while (scan->at < scan->count && is_in_word(scan->bytes[scan->at]))
		scan->at++;
	token.kind = TOKEN_WORD;
	token.text = scan->copy + start;
	token.len = scan->at - start;
	/* No word has the byte behind one, and it is read from the bytes, not from here.
	 */
	scan->copy[scan->at] = '\0';
	return token;
}

bool format_token_is(const struct format_token *token, const char *word)
{
	/* Most words differ in their first byte. */
	return token->text[0] == word[0] && token->kind == TOKEN_WORD &&
	       strcmp(token->text, word) == 0;
}

size_t format_token_bad(const struct format_token *token)
{
	size_t i = 0;

	while (i < token->len && class_of(token->text[i]) == NAME)
		i++;
	return i;
}

bool format_is_name(const char *text)
{
	struct format_token token = {.text = text, .len = strlen(text)};

	return token.len > 0 && format_token_bad(&token) == token.len;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

bool format_token_integer(const struct format_token *token, int64_t min, int64_t max,
			  int64_t *out)
{
	bool negative = token->text[0] == '-';
	size_t i = negative;
	int64_t number = 0;

	if (token->kind != TOKEN_WORD || i == token->len)
		return false;
	for (; i < token->len; i++) {
		int digit = token->text[i] - '0';

		if (!is_digit(token->text[i]) ||
		    __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, negative ? -digit : digit, &number))
			return false;
	}
	*out = number;
	return number >= min && number <= max;
}

static size_t count_digits(const char *text)
{
	size_t count = 0;

	while (is_digit(text[count]))
		count++;
	return count;
}

bool format_token_is_real(const struct format_token *token)
{
	const char *at = token->text;
	size_t digits;

	if (token->kind != TOKEN_WORD)
		return false;
	at += *at == '-' || *at == '+';
	digits = count_digits(at);
	at += digits;
	if (*at == '.') {
		size_t decimals = count_digits(at + 1);

		digits += decimals;
		at += 1 + decimals;
	}
	if (digits > 0 && (*at == 'e' || *at == 'E')) {
		at++;
		at += *at == '-' || *at == '+';
		digits = count_digits(at);
		at += digits;
	}
	return digits > 0 && at == token->text + token->len;
}
