/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "edit_priv.h"

#define PIECES_MAX 24

/** A word of a syntax. */
struct piece {
	const char *text;
	size_t len;
	bool opens, closes; /* a part in brackets, which may be left out */
	int arg;            /* its number; -1: the word is written as it is */
};

struct pattern {
	struct piece pieces[PIECES_MAX];
	int count;
};

/** How far the words of an operation are like a syntax. */
struct attempt {
	const struct edit_op *op;
	struct edit_arg args[EDIT_ARGS_MAX];
	struct piece kinds[EDIT_ARGS_MAX]; /* of the arguments that were given */
	size_t at;                         /* the first word that doesn't fit */
	size_t literals;                   /* words that are as they are written */
	const char *expected;              /* NULL: nothing more */
	size_t expected_len;
	bool fits;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The end of the word that starts here: of a quoted one, its last quote. NULL when the
 * quotes don't end. */
static const char *word_end(const char *at, const char *end)
{
	if (*at == '"')
		return memchr(at + 1, '"', (size_t)(end - at - 1));
	if (*at == ';')
		return at + 1;
	while (at < end && !is_blank(*at) && *at != ';')
		at++;
	return at;
}

static strew_status add_word(struct edit_call *call, const char *from, const char *to,
			     int column)
{
	char *text;

	if (call->word_count == EDIT_WORDS_MAX)
		return base_error_at(call->error, STREW_ESYNTAX, call->file, call->line,
				     column, "an operation has at most %d words",
				     EDIT_WORDS_MAX);
	text = base_arena_alloc(&call->scratch, (size_t)(to - from) + 1, 1);
	if (text == NULL)
		return base_error_nomem(call->error);
	memcpy(text, from, (size_t)(to - from));
	call->words[call->word_count++] = (struct edit_word){text, column};
	return STREW_OK;
}

strew_status edit_split(struct edit_call *call, const char *line, size_t length)
{
	const char *end = line + length, *at = line, *stop;
	strew_status status = STREW_OK;

	call->words =
		base_arena_alloc(&call->scratch, EDIT_WORDS_MAX, sizeof(*call->words));
	if (call->words == NULL)
		return base_error_nomem(call->error);
	while (status == STREW_OK) {
		int column;

		while (at < end && is_blank(*at))
			at++;
		column = (int)(at - line) + 1;
		call->end = column;
		if (at == end || *at == '#')
			break;
		stop = word_end(at, end);
		if (stop == NULL)
			return base_error_at(call->error, STREW_ESYNTAX, call->file,
					     call->line, column,
					     "the quotes that start here don't end");
		status = add_word(call, at + (*at == '"'), stop, column);
		at = stop + (*at == '"');
	}
	return status;
}

static void parse_syntax(struct pattern *pattern, const char *syntax)
{
	int args = 0;

	pattern->count = 0;
	while (*syntax) {
		struct piece *piece = &pattern->pieces[pattern->count++];
		size_t len;

		piece->opens = *syntax == '[';
		syntax += piece->opens;
		len = strcspn(syntax, " ]");
		piece->text = syntax;
		piece->len = len;
		piece->arg = isupper((unsigned char)*syntax) ? args++ : -1;
		piece->closes = syntax[len] == ']';
		syntax += len + piece->closes;
		syntax += *syntax == ' ';
	}
}

static bool is_word(const struct piece *piece, const char *word)
{
	return strlen(word) == piece->len && strncmp(word, piece->text, piece->len) == 0;
}

/* Take one word for a piece. */
static bool take(struct attempt *attempt, struct edit_call *call,
		 const struct piece *piece)
{
	struct edit_arg *arg;

	if (attempt->at == call->word_count ||
	    (piece->arg < 0 && !is_word(piece, call->words[attempt->at].text))) {
		attempt->expected = piece->text;
		attempt->expected_len = piece->len;
		return false;
	}
	if (piece->arg < 0) {
		attempt->literals++;
		attempt->at++;
		return true;
	}
	arg = &attempt->args[piece->arg];
	arg->words = &call->words[attempt->at];
	arg->word_count = call->word_count - attempt->at;
	arg->text = arg->words->text;
	arg->column = arg->words->column;
	attempt->kinds[piece->arg] = *piece;
	attempt->at = edit_takes_rest(piece->text, piece->len) ? call->word_count
							       : attempt->at + 1;
	return true;
}

static int end_of_part(const struct pattern *pattern, int i)
{
	while (!pattern->pieces[i].closes)
		i++;
	return i + 1;
}

/* The parts in brackets are at the end, and come in any order. @return false when one has
 * begun and doesn't go on */
static bool take_options(struct attempt *attempt, struct edit_call *call,
			 const struct pattern *pattern, int first)
{
	bool used[PIECES_MAX] = {false};

	for (int i = first; i < pattern->count && attempt->at < call->word_count;) {
		int end = end_of_part(pattern, i);

		if (used[i] ||
		    !is_word(&pattern->pieces[i], call->words[attempt->at].text)) {
			i = end;
			continue;
		}
		used[i] = true;
		for (int j = i; j < end; j++)
			if (!take(attempt, call, &pattern->pieces[j]))
				return false;
		i = first;
	}
	return true;
}

static void try(struct attempt *attempt, struct edit_call *call, const struct edit_op *op)
{
	struct pattern pattern;
	int i = 0;

	memset(attempt, 0, sizeof(*attempt));
	attempt->op = op;
	parse_syntax(&pattern, op->syntax);
	for (; i < pattern.count && !pattern.pieces[i].opens; i++)
		if (!take(attempt, call, &pattern.pieces[i]))
			return;
	if (take_options(attempt, call, &pattern, i))
		attempt->fits = attempt->at == call->word_count;
}

static bool is_better(const struct attempt *a, const struct attempt *b)
{
	if (b->op == NULL || a->fits != b->fits)
		return b->op == NULL || a->fits;
	if (a->at != b->at && !a->fits)
		return a->at > b->at;
	return a->literals > b->literals;
}

/* The first words of all operations, for one that is like no operation. */
static strew_status refuse_verb(struct edit_call *call)
{
	const char *verbs[64];
	size_t count = 0;
	char *text;

	for (size_t i = 0; edit_op_at(i) && count < 63; i++) {
		const char *syntax = edit_op_at(i)->syntax;
		size_t len = strcspn(syntax, " ");

		if (count > 0 && strlen(verbs[count - 1]) == len &&
		    strncmp(verbs[count - 1], syntax, len) == 0)
			continue;
		text = base_arena_copy(&call->scratch, syntax, len + 1, 1);
		if (text == NULL)
			return base_error_nomem(call->error);
		text[len] = '\0';
		verbs[count++] = text;
	}
	verbs[count] = NULL;
	return base_error_at(call->error, STREW_ESYNTAX, call->file, call->line,
			     call->words[0].column,
			     "no operation starts with \"%.64s\"%s", call->words[0].text,
			     edit_hint(call, call->words[0].text, verbs));
}

static strew_status refuse(struct edit_call *call, const struct attempt *best)
{
	bool at_end = best->at == call->word_count;
	int column = at_end ? call->end : call->words[best->at].column;

	if (best->literals == 0)
		return refuse_verb(call);
	if (best->expected == NULL)
		return base_error_at(call->error, STREW_ESYNTAX, call->file, call->line,
				     column,
				     "\"%.64s\" is too much; the operation is \"%s\"",
				     call->words[best->at].text, best->op->syntax);
	return base_error_at(call->error, STREW_ESYNTAX, call->file, call->line, column,
			     "expected %.*s%s%.64s%s; the operation is \"%s\"",
			     (int)best->expected_len, best->expected,
			     at_end ? "" : " in place of \"",
			     at_end ? "" : call->words[best->at].text, at_end ? "" : "\"",
			     best->op->syntax);
}

strew_status edit_match(const struct edit_op **op, strew_edit *edit,
			struct edit_call *call)
{
	struct attempt best = {0};
	strew_status status = STREW_OK;

	for (size_t i = 0; edit_op_at(i); i++) {
		struct attempt attempt;

		try(&attempt, call, edit_op_at(i));
		if (is_better(&attempt, &best))
			best = attempt;
	}
	if (!best.fits)
		return refuse(call, &best);
	memcpy(call->args, best.args, sizeof(call->args));
	for (int i = 0; i < EDIT_ARGS_MAX && status == STREW_OK; i++)
		if (best.kinds[i].text)
			status = edit_resolve(edit, call, &call->args[i],
					      best.kinds[i].text, best.kinds[i].len);
	*op = best.op;
	return status;
}
