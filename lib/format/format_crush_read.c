/* SPDX-License-Identifier: MIT */
/* Reading CRUSH text, piece by piece: what all its parts are made of. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_str.h"
#include "format_crush_text.h"
#include "format_words.h"

void format_crush_next(struct format_crush *crush)
{
	crush->token = format_scan_next(&crush->scan);
}

strew_builder *format_crush_at(struct format_crush *crush,
			       const struct format_token *token)
{
	strew_builder_at_line(crush->builder, token->line, token->column);
	return crush->builder;
}

void format_crush_fault(struct format_crush *crush, const struct format_token *token,
			strew_status status, const char *text, ...)
{
	char message[700];
	va_list args;

	va_start(args, text);
	vsnprintf(message, sizeof(message), text, args);
	va_end(args);
	strew_builder_report(format_crush_at(crush, token), STREW_FAULT, status, "%s",
			     message);
}

/* What a token is, for messages. */
static const char *describe(const struct format_token *token, char *room, size_t size)
{
	static const char *const brackets[] = {
		[TOKEN_OPEN] = "\"{\"",
		[TOKEN_CLOSE] = "\"}\"",
		[TOKEN_LIST] = "\"[\"",
		[TOKEN_LIST_END] = "\"]\"",
	};

	if (token->kind == TOKEN_END)
		return "the end of the file";
	if (token->kind != TOKEN_WORD)
		return brackets[token->kind];
	snprintf(room, size, "\"%.*s\"", 64, token->text);
	return room;
}

bool format_crush_expected(struct format_crush *crush, const char *what)
{
	char room[80];

	format_crush_fault(crush, &crush->token, STREW_ESYNTAX, "expected %s, found %s",
			   what, describe(&crush->token, room, sizeof(room)));
	return false;
}

bool format_crush_take(struct format_crush *crush, enum format_token_kind kind,
		       const char *what)
{
	if (crush->token.kind != kind)
		return format_crush_expected(crush, what);
	format_crush_next(crush);
	return true;
}

bool format_crush_begins_block(const struct format_crush *crush)
{
	struct format_scan scan = crush->scan;
	struct format_token next;

	if (crush->token.kind != TOKEN_WORD)
		return false;
	next = format_scan_next(&scan);
	if (next.kind == TOKEN_WORD)
		next = format_scan_next(&scan);
	return next.kind == TOKEN_OPEN;
}

static bool is_number(const struct format_token *token)
{
	return token->text[0] >= '0' && token->text[0] <= '9';
}

/* A name may be any word, but one that begins a line as another part does is a sign that
 * the name was left out. */
static bool is_left_out(const struct format_crush *crush)
{
	struct format_scan scan = crush->scan;
	const struct format_word *word = format_word(crush->token.text, crush->token.len);
	struct format_token next = format_scan_next(&scan);

	if (!crush->token.starts_line || word == NULL || word->form != WORD_PART)
		return false;
	if (word->value == PART_DEVICE || word->value == PART_TYPE)
		return is_number(&next);
	if (word->value != PART_TUNABLE)
		return format_crush_begins_block(crush);
	next = format_scan_next(&scan);
	return is_number(&next);
}

bool format_crush_name(struct format_crush *crush, const char *what,
		       struct format_token *out)
{
	size_t bad = format_token_bad(&crush->token);
	struct format_token at = crush->token;

	*out = crush->token;
	if (is_left_out(crush))
		return format_crush_expected(crush, what);
	if (!format_crush_take(crush, TOKEN_WORD, what))
		return false;
	if (bad == at.len)
		return true;
	at.column += (int)bad;
	format_crush_fault(crush, &at, STREW_ESYNTAX,
			   "\"%.64s\" is no name, because of this character; names are "
			   "made of letters, digits, \"-\", \"_\" and \".\"",
			   out->text);
	return false;
}

bool format_crush_integer(struct format_crush *crush, const char *what, int64_t min,
			  int64_t max, int64_t *out)
{
	if (!format_token_integer(&crush->token, min, max, out))
		return format_crush_expected(crush, what);
	format_crush_next(crush);
	return true;
}

uint32_t format_crush_round(float number)
{
	return (uint32_t)(int64_t)(number * 65536.0f);
}

bool format_crush_weight(struct format_crush *crush, float min, uint32_t *out)
{
	struct format_token token = crush->token;
	float number;

	if (!format_token_is_real(&token))
		return format_crush_expected(crush, "a weight, such as 1.000");
	format_crush_next(crush);
	number = strtof_l(token.text, NULL, crush->locale);
	if (!(number >= min && number < 65536.0f)) {
		format_crush_fault(crush, &token, STREW_EMAP,
				   "the weight %.64s is out of range; it must be at "
				   "least %d and below 65536",
				   token.text, (int)min);
		return false;
	}
	*out = format_crush_round(number);
	return true;
}

bool format_crush_word(struct format_crush *crush, const char *word)
{
	if (!format_token_is(&crush->token, word))
		return false;
	format_crush_next(crush);
	return true;
}

void *format_crush_push(struct format_crush *crush, struct base_vec *vec, size_t size)
{
	void *added = base_vec_push(vec, crush->allocator, size);

	if (added == NULL)
		crush->failed = true;
	return added;
}

static const struct format_crush_line *find_line(const struct format_crush *crush,
						 const struct format_crush_line *lines,
						 size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (format_token_is(&crush->token, lines[i].word))
			return &lines[i];
	return NULL;
}

/* After a mistake: to the next line of the block, its end, or the part after it if the
 * end is missing. */
static void skip_to_line(struct format_crush *crush,
			 const struct format_crush_line *lines, size_t count)
{
	int depth = 0;

	for (; crush->token.kind != TOKEN_END; format_crush_next(crush)) {
		if (crush->token.kind == TOKEN_OPEN)
			depth++;
		if (crush->token.kind == TOKEN_CLOSE && depth-- == 0)
			return;
		if (crush->token.starts_line &&
		    (find_line(crush, lines, count) || format_crush_begins_block(crush)))
			return;
	}
}

/* A block on its way from line to line. */
struct block {
	const struct format_crush_line *lines;
	size_t count;
	unsigned seen; /* by rank */
	int rank;      /* of the last line */
};

static bool may_come(struct format_crush *crush, const struct block *block,
		     const struct format_crush_line *line)
{
	if (line->rank < block->rank) {
		const struct format_crush_line *last = block->lines;

		while (last->rank != block->rank)
			last++;
		format_crush_fault(crush, &crush->token, STREW_ESYNTAX,
				   "\"%s\" comes before \"%s\"", line->word, last->word);
		return false;
	}
	if (line->rank > block->rank || line->repeats)
		return true;
	format_crush_fault(crush, &crush->token, STREW_ESYNTAX,
			   "there is a \"%s\" already", line->word);
	return false;
}

/* Reports the first line that should have come before the token at hand. */
static bool check_required(struct format_crush *crush, struct block *block, int rank)
{
	for (size_t i = 0; i < block->count; i++) {
		const struct format_crush_line *line = &block->lines[i];
		char what[64];

		if (!line->required || line->rank >= rank ||
		    (block->seen & 1u << line->rank))
			continue;
		block->seen |= 1u << line->rank;
		snprintf(what, sizeof(what), "\"%s\"", line->word);
		return format_crush_expected(crush, what);
	}
	return true;
}

static bool read_line(struct format_crush *crush, struct block *block, void *ctx)
{
	const struct format_crush_line *line =
		find_line(crush, block->lines, block->count);
	bool good;

	good = check_required(crush, block, line->rank);
	good &= may_come(crush, block, line);
	block->seen |= 1u << line->rank;
	if (line->rank > block->rank)
		block->rank = line->rank;
	format_crush_next(crush);
	if (line->read(crush, ctx))
		return good;
	skip_to_line(crush, block->lines, block->count);
	return false;
}

/* Says what may come, such as "alg", and takes it as seen. */
static void list_lines(struct block *block, struct base_str *text)
{
	for (size_t i = 0; i < block->count; i++) {
		const struct format_crush_line *line = &block->lines[i];

		if (line->rank < block->rank ||
		    (line->rank == block->rank && !line->repeats))
			continue;
		base_str_addf(text, "\"%s\" or ", line->word);
		if (!line->required || (block->seen & 1u << line->rank))
			continue;
		block->seen |= 1u << line->rank;
		text->bytes.count -= strlen(" or ");
		base_str_add(text, "");
		return;
	}
	base_str_add(text, "\"}\"");
}

/* @return whether the block goes on after the mistake. */
static bool expect_line(struct format_crush *crush, struct block *block,
			const struct format_token *start)
{
	bool is_open = crush->token.kind == TOKEN_END || format_crush_begins_block(crush);
	struct base_str text;

	base_str_init(&text, crush->allocator);
	list_lines(block, &text);
	if (is_open)
		base_str_addf(&text, " of what begins in line %d", start->line);
	if (base_str_ok(&text))
		format_crush_expected(crush, base_str_text(&text));
	else
		crush->failed = true;
	base_str_free(&text);
	if (is_open)
		return false;
	if (crush->token.kind == TOKEN_WORD)
		format_crush_next(crush);
	skip_to_line(crush, block->lines, block->count);
	return true;
}

bool format_crush_block(struct format_crush *crush, const struct format_token *start,
			const struct format_crush_line *lines, size_t count, void *ctx)
{
	struct block block = {lines, count, 0, -1};
	bool good = true;

	while (crush->token.kind != TOKEN_CLOSE) {
		if (find_line(crush, lines, count)) {
			good &= read_line(crush, &block, ctx);
			continue;
		}
		good = false;
		if (!expect_line(crush, &block, start))
			return false;
	}
	good &= check_required(crush, &block, INT32_MAX);
	format_crush_next(crush);
	return good;
}

void format_crush_turn(struct format_crush *crush, const struct format_token *at,
		       enum format_crush_stage stage, const char *complaint)
{
	if (stage < crush->stage)
		format_crush_fault(crush, at, STREW_ESYNTAX, "%s", complaint);
	else
		crush->stage = stage;
}

/* A type may be called as the other parts begin: then what stands behind tells. */
bool format_crush_is_bucket(const struct format_crush *crush)
{
	struct format_scan scan = crush->scan;
	struct format_token name = format_scan_next(&scan), next;
	bool is_word;

	if (name.kind != TOKEN_WORD || format_scan_next(&scan).kind != TOKEN_OPEN)
		return false;
	next = format_scan_next(&scan);
	is_word = next.kind == TOKEN_WORD;
	if (format_token_is(&crush->token, "choose_args"))
		return is_word;
	if (!format_token_is(&crush->token, "rule"))
		return true;
	if (format_token_is(&next, "id"))
		return format_scan_next(&scan).text[0] == '-';
	return format_token_is(&next, "alg");
}

void format_crush_skip(struct format_crush *crush)
{
	const struct format_word *word;

	for (; crush->token.kind != TOKEN_END; format_crush_next(crush)) {
		if (!crush->token.starts_line || crush->token.kind != TOKEN_WORD)
			continue;
		word = format_word(crush->token.text, crush->token.len);
		if ((word && word->form == WORD_PART) || format_crush_begins_block(crush))
			return;
	}
}
