/* SPDX-License-Identifier: MIT */
/* The rules of CRUSH text. */
#include <string.h>

#include "format_crush_text.h"
#include "format_words.h"

/* The rule's id must also fit the byte that older releases find rules by. */
#define RULE_ID_MAX 255

struct rule {
	struct format_token at;
	const char *name;
	int64_t id; /* -1: not known */
	int64_t kind, min_size, max_size;
	bool is_added;
};

static bool read_id(struct format_crush *crush, void *ctx)
{
	struct rule *rule = ctx;
	int64_t id;

	if (!format_crush_integer(crush, "the id of a rule, which is from 0 to 255", 0,
				  RULE_ID_MAX, &id))
		return false;
	rule->id = id;
	return true;
}

/* By name; the number of one that a release has no name for. */
static bool read_kind(struct format_crush *crush, void *ctx)
{
	struct rule *rule = ctx;
	const struct format_word *word = format_word_of(WORD_KIND, crush->token.text);
	int64_t number;

	if (word == NULL && format_token_integer(&crush->token, 0, UINT8_MAX, &number)) {
		const char *name = format_word_for(WORD_KIND, number);

		word = name ? format_word_of(WORD_KIND, name) : NULL;
	}
	if (word == NULL)
		return format_crush_expected(
			crush, "the type of a rule: replicated, erasure, msr_firstn or "
			       "msr_indep");
	rule->kind = word->value;
	format_crush_next(crush);
	return true;
}

static bool read_size(struct format_crush *crush, int64_t *size)
{
	return format_crush_integer(crush, "a number of replicas, from 0", 0, INT64_MAX,
				    size);
}

static bool read_min_size(struct format_crush *crush, void *ctx)
{
	return read_size(crush, &((struct rule *)ctx)->min_size);
}

static bool read_max_size(struct format_crush *crush, void *ctx)
{
	return read_size(crush, &((struct rule *)ctx)->max_size);
}

/* The numbers are bytes, and cut to those: 300 becomes 44. */
static void add_rule(struct format_crush *crush, struct rule *rule)
{
	strew_builder *builder = format_crush_at(crush, &rule->at);

	if (rule->is_added)
		return;
	rule->is_added = true;
	if (rule->id < 0) {
		map_refuse_all(builder, MAP_RULES);
		map_refuse_rule(builder, STREW_AUTO_ID, rule->name);
		return;
	}
	strew_builder_add_rule(builder, (int32_t)rule->id, rule->name,
			       (strew_kind)rule->kind);
	if (rule->min_size >= 0 && rule->max_size >= 0)
		strew_builder_set_rule_mask(builder, (uint8_t)rule->id,
					    (uint8_t)rule->min_size,
					    (uint8_t)rule->max_size);
}

static bool read_take(struct format_crush *crush)
{
	struct format_token at = crush->token, item, class_name = {.text = NULL};

	if (!format_crush_name(crush, "the name of a bucket or device to take", &item))
		return false;
	if (format_crush_word(crush, "class") &&
	    !format_crush_name(crush, "the name of a device class", &class_name))
		return false;
	strew_builder_add_take_name(format_crush_at(crush, &at), item.text,
				    class_name.text);
	return true;
}

static bool read_choose(struct format_crush *crush, const struct format_token *at,
			int64_t op)
{
	struct format_token type;
	int64_t count;

	if (!format_crush_integer(crush, "the number of items to choose", INT32_MIN,
				  INT32_MAX, &count))
		return false;
	if (!format_crush_word(crush, "type"))
		return format_crush_expected(crush,
					     "\"type\" and the type of what to choose");
	if (!format_crush_name(crush, "the type of what to choose", &type))
		return false;
	strew_builder_add_choose(format_crush_at(crush, at), (strew_op)op, (int32_t)count,
				 0, type.text);
	return true;
}

/* "choose" and "chooseleaf" are half a step; the other half follows. */
static bool read_mode(struct format_crush *crush, const struct format_token *at,
		      int64_t op)
{
	bool is_indep = format_token_is(&crush->token, "indep");

	if (!is_indep && !format_token_is(&crush->token, "firstn"))
		return format_crush_expected(crush, "\"firstn\" or \"indep\"");
	format_crush_next(crush);
	if (is_indep)
		op = op == STREW_OP_CHOOSE_FIRSTN ? STREW_OP_CHOOSE_INDEP
						  : STREW_OP_CHOOSELEAF_INDEP;
	return read_choose(crush, at, op);
}

static bool read_set(struct format_crush *crush, const struct format_token *at,
		     int64_t op)
{
	int64_t number;

	if (!format_crush_integer(crush, "a number from 0 to 2147483647", 0, INT32_MAX,
				  &number))
		return false;
	strew_builder_add_step(format_crush_at(crush, at), (strew_op)op, (int32_t)number);
	return true;
}

/* A word of Ceph's JSON is none of a step here, but for the one that is. */
static const struct format_word *step_word(const struct format_token *token)
{
	const struct format_word *word = format_word(token->text, token->len);

	if (word && word->form == WORD_CHOOSE && word->value != STREW_OP_CHOOSE_MSR)
		return NULL;
	return word && word->form <= WORD_SET ? word : NULL;
}

static bool read_step(struct format_crush *crush, void *ctx)
{
	struct format_token at = crush->token;
	const struct format_word *word = step_word(&at);

	add_rule(crush, ctx);
	if (word == NULL)
		return format_crush_expected(
			crush, "a step: take, choose, chooseleaf, choosemsr, emit or "
			       "set_...");
	format_crush_next(crush);
	switch (word->form) {
	case WORD_TAKE:
		return read_take(crush);
	case WORD_MODE:
		return read_mode(crush, &at, word->value);
	case WORD_CHOOSE:
		return read_choose(crush, &at, word->value);
	case WORD_SET:
		return read_set(crush, &at, word->value);
	default:
		strew_builder_add_step(format_crush_at(crush, &at), (strew_op)word->value,
				       0);
		return true;
	}
}

static const struct format_crush_line lines[] = {
	{"id", 0, false, true, read_id},
	{"ruleset", 0, false, true, read_id},
	{"type", 1, false, true, read_kind},
	{"min_size", 2, false, false, read_min_size},
	{"max_size", 3, false, false, read_max_size},
	{"step", 4, true, true, read_step},
};

bool format_crush_rule(struct format_crush *crush)
{
	struct format_token start = crush->token, name = {.text = ""};
	struct rule rule = {.at = start,
			    .id = -1,
			    .kind = STREW_KIND_REPLICATED,
			    .min_size = -1,
			    .max_size = -1};

	crush->has_rules = true;
	format_crush_next(crush);
	if (crush->token.kind == TOKEN_WORD)
		format_crush_name(crush, "the name of a rule", &name);
	rule.name = name.text;
	if (!format_crush_take(crush, TOKEN_OPEN, "\"{\" and what the rule is made of")) {
		map_refuse_all(crush->builder, MAP_RULES);
		return false;
	}
	format_crush_turn(crush, &start, STAGE_RULES,
			  "the rules come before choose_args");
	format_crush_block(crush, &start, FORMAT_CRUSH_LINES(lines), &rule);
	add_rule(crush, &rule);
	return true;
}
