/* SPDX-License-Identifier: MIT */
/* Rules of our JSON: steps are words, as in Ceph's text. */
#include <stdio.h>
#include <string.h>

#include "format_json_priv.h"

/* A step, and how far it is read. */
struct scanner {
	struct format_walk *walk;
	const char *text;
	const char *at;
};

/* A word of a step; a quoted one may hold blanks, and its quote where that stands twice.
 */
struct token {
	const char *start;
	size_t len;
	char quote; /* 0: none */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int column_of(const struct scanner *scanner, const char *at)
{
	return (int)(at - scanner->text) + 1;
}

static void skip_blanks(struct scanner *scanner)
{
	while (is_blank(*scanner->at))
		scanner->at++;
}

/* The quote that ends what one began, or NULL. */
static const char *find_end(const char *text, char quote)
{
	const char *end = strchr(text, quote);

	while (end && end[1] == quote)
		end = strchr(end + 2, quote);
	return end;
}

/* Reads the next word; when there is none, says that the step ends in place of `what`. */
static bool next_token(struct scanner *scanner, struct token *token, const char *what)
{
	const char *end;
	char quote;

	skip_blanks(scanner);
	quote = *scanner->at;
	if (quote == '\0') {
		format_fault(scanner->walk,
			     "column %d: the step ends where %s should stand",
			     column_of(scanner, scanner->at), what);
		return false;
	}
	if (quote != '\'' && quote != '"') {
		end = scanner->at + strcspn(scanner->at, " \t\r\n");
		*token = (struct token){scanner->at, (size_t)(end - scanner->at), 0};
		scanner->at = end;
		return true;
	}
	end = find_end(scanner->at + 1, quote);
	if (end == NULL) {
		format_fault(scanner->walk,
			     "column %d: the quote that begins here has no end",
			     column_of(scanner, scanner->at));
		return false;
	}
	*token = (struct token){scanner->at + 1, (size_t)(end - scanner->at - 1), quote};
	scanner->at = end + 1;
	return true;
}

static bool token_is(const struct token *token, const char *word)
{
	return strlen(word) == token->len && memcmp(token->start, word, token->len) == 0;
}

/* Says that `what` was expected in place of a word. */
static void fault_token(struct scanner *scanner, const struct token *token,
			const char *what)
{
	format_fault(scanner->walk, "column %d: expected %s, found \"%.*s\"",
		     column_of(scanner, token->start), what,
		     token->len > 200 ? 200 : (int)token->len, token->start);
}

static bool next_word(struct scanner *scanner, const char *word)
{
	struct token token;
	char what[32];

	snprintf(what, sizeof(what), "\"%s\"", word);
	if (!next_token(scanner, &token, what))
		return false;
	if (token_is(&token, word))
		return true;
	fault_token(scanner, &token, what);
	return false;
}

/* A negative number may be one lower than -max, as two's complement has it. */
static bool next_integer(struct scanner *scanner, int64_t *number, int64_t max)
{
	struct token token;
	int64_t value = 0, most;
	char what[64];
	size_t i;

	if (!next_token(scanner, &token, "a number"))
		return false;
	i = token.len > 1 && token.start[0] == '-';
	most = max + (int64_t)i;
	for (; i < token.len && token.start[i] >= '0' && token.start[i] <= '9'; i++)
		value = value > most ? value : value * 10 + (token.start[i] - '0');
	if (i < token.len || value > most) {
		snprintf(what, sizeof(what), "a whole number of at most %lld",
			 (long long)max);
		fault_token(scanner, &token, what);
		return false;
	}
	*number = token.start[0] == '-' ? -value : value;
	return true;
}

static bool next_number(struct scanner *scanner, int32_t *number)
{
	int64_t value = 0;

	if (!next_integer(scanner, &value, INT32_MAX))
		return false;
	*number = (int32_t)value;
	return true;
}

/* A name, as a string that ends; NULL when it is missing or there is no memory. */
static const char *next_name(struct scanner *scanner, struct base_str *name,
			     const char *what)
{
	struct token token;

	if (!next_token(scanner, &token, what))
		return NULL;
	for (size_t i = 0; i < token.len; i++) {
		base_str_add_bytes(name, &token.start[i], 1);
		i += token.quote && token.start[i] == token.quote;
	}
	if (base_str_ok(name))
		return base_str_text(name);
	scanner->walk->failed = true;
	return NULL;
}

static bool at_end(struct scanner *scanner)
{
	struct token token;

	skip_blanks(scanner);
	if (*scanner->at == '\0')
		return true;
	if (next_token(scanner, &token, "the end"))
		fault_token(scanner, &token, "the end of the step");
	return false;
}

/* take NAME [class CLASS] */
static void read_take(struct scanner *scanner)
{
	struct base_str item, class_name;
	const char *name, *class_word = NULL;

	base_str_init(&item, scanner->walk->allocator);
	base_str_init(&class_name, scanner->walk->allocator);
	name = next_name(scanner, &item, "the name of a bucket or device");
	if (name == NULL)
		goto out;
	skip_blanks(scanner);
	if (*scanner->at != '\0') {
		if (!next_word(scanner, "class"))
			goto out;
		class_word = next_name(scanner, &class_name, "a device class");
		if (class_word == NULL)
			goto out;
	}
	if (at_end(scanner))
		strew_builder_add_take_name(format_builder(scanner->walk), name,
					    class_word);
out:
	base_str_free(&item);
	base_str_free(&class_name);
}

/* N type TYPE, after the words that say how to choose. */
static void read_choose(struct scanner *scanner, strew_op op)
{
	struct base_str type;
	int32_t count = 0;
	const char *name;

	base_str_init(&type, scanner->walk->allocator);
	if (!next_number(scanner, &count) || !next_word(scanner, "type"))
		goto out;
	name = next_name(scanner, &type, "the name of a type");
	if (name && at_end(scanner))
		strew_builder_add_choose(format_builder(scanner->walk), op, count, 0,
					 name);
out:
	base_str_free(&type);
}

/* firstn or indep, after choose or chooseleaf. */
static void read_mode(struct scanner *scanner, const struct format_word *verb)
{
	struct token mode;
	char name[32];

	if (!next_token(scanner, &mode, "\"firstn\" or \"indep\""))
		return;
	if (!token_is(&mode, "firstn") && !token_is(&mode, "indep")) {
		fault_token(scanner, &mode, "\"firstn\" or \"indep\"");
		return;
	}
	snprintf(name, sizeof(name), "%s_%.*s", verb->name, (int)mode.len, mode.start);
	read_choose(scanner, (strew_op)format_word_of(WORD_CHOOSE, name)->value);
}

static void read_set(struct scanner *scanner, strew_op op)
{
	int32_t number = 0;

	if (next_number(scanner, &number) && at_end(scanner))
		strew_builder_add_step(format_builder(scanner->walk), op, number);
}

/* op NUMBER ARG1 ARG2, for what has no words. */
static void read_raw(struct scanner *scanner)
{
	int64_t op = 0;
	int32_t arg1 = 0, arg2 = 0;

	if (!next_integer(scanner, &op, UINT32_MAX) || !next_number(scanner, &arg1) ||
	    !next_number(scanner, &arg2) || !at_end(scanner))
		return;
	if (op < 0)
		format_fault(scanner->walk, "the op of a step is from 0 to 4294967295");
	else
		map_add_raw_step(format_builder(scanner->walk), (uint32_t)op, arg1, arg2);
}

static void fault_verb(struct scanner *scanner, const struct token *verb)
{
	static const char *const verbs[] = {
		"take",
		"choose",
		"chooseleaf",
		"choosemsr",
		"emit",
		"noop",
		"set_choose_tries",
		"set_chooseleaf_tries",
		"set_choose_local_tries",
		"set_choose_local_fallback_tries",
		"set_chooseleaf_vary_r",
		"set_chooseleaf_stable",
		"set_msr_descents",
		"set_msr_collision_tries",
		NULL,
	};
	char word[64], what[128];
	const char *nearest;

	snprintf(word, sizeof(word), "%.*s", verb->len > 60 ? 60 : (int)verb->len,
		 verb->start);
	nearest = format_hint(scanner->walk, word, verbs);
	if (nearest)
		snprintf(what, sizeof(what), "a step, such as \"%s\"", nearest);
	else
		snprintf(what, sizeof(what),
			 "a step that begins with take, choose, chooseleaf, "
			 "choosemsr, set_…, emit or noop");
	fault_token(scanner, verb, what);
}

static void tell_step(struct format_walk *walk, const char *text)
{
	struct scanner scanner = {walk, text, text};
	const struct format_word *word;
	struct token verb;

	if (!next_token(&scanner, &verb, "a step"))
		return;
	word = format_word(verb.start, verb.len);
	if (word && word->form == WORD_TAKE)
		read_take(&scanner);
	else if (word && word->form == WORD_MODE)
		read_mode(&scanner, word);
	else if (word && word->form == WORD_RAW)
		read_raw(&scanner);
	else if (word && word->form == WORD_SET)
		read_set(&scanner, (strew_op)word->value);
	else if (word && word->value == STREW_OP_CHOOSE_MSR && word->form == WORD_CHOOSE)
		read_choose(&scanner, STREW_OP_CHOOSE_MSR);
	else if (word == NULL || word->form != WORD_BARE)
		fault_verb(&scanner, &verb);
	else if (at_end(&scanner))
		strew_builder_add_step(format_builder(walk), (strew_op)word->value, 0);
}

static void read_step(struct format_walk *walk, json_t *step, void *ctx)
{
	const char *text;

	(void)ctx;
	if (format_text(walk, step, &text))
		tell_step(walk, text);
}

struct rule {
	const char *name;
	int64_t id, kind, ruleset, min_size, max_size;
	json_t *steps;
};

static const struct format_field rule_fields[] = {
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, rule, name),
	FORMAT_OPTIONAL_RANGE(KEY_ID, rule, id, 0, INT32_MAX),
	FORMAT_OPTIONAL_WORD(KEY_TYPE, rule, kind, WORD_KIND, 0),
	FORMAT_REQUIRED(KEY_STEPS, FORMAT_LIST, rule, steps),
	FORMAT_OPTIONAL_RANGE(KEY_RULESET, rule, ruleset, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MIN_SIZE, rule, min_size, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MAX_SIZE, rule, max_size, 0, 255),
};
static const struct format_shape rule_shape = FORMAT_SHAPE("rule", rule_fields, false);

/* The old mask has three parts, and a rule has all of them or none. */
static void read_mask(struct format_walk *walk, const struct rule *rule)
{
	int given = (rule->ruleset >= 0) + (rule->min_size >= 0) + (rule->max_size >= 0);

	if (given == 3)
		strew_builder_set_rule_mask(format_builder(walk), (uint8_t)rule->ruleset,
					    (uint8_t)rule->min_size,
					    (uint8_t)rule->max_size);
	else if (given > 0)
		format_fault(
			walk,
			"a rule has all of \"ruleset\", \"min_size\" and \"max_size\", "
			"or none of them");
}

static void refuse_rule(struct format_walk *walk, const struct rule *rule)
{
	if (rule->name)
		map_refuse_rule(format_builder(walk), (int32_t)rule->id, rule->name);
	else
		map_refuse_all(format_builder(walk), MAP_RULES);
}

static void read_rule(struct format_walk *walk, json_t *element, void *ctx)
{
	struct rule rule = {.id = STREW_AUTO_ID,
			    .kind = STREW_KIND_REPLICATED,
			    .ruleset = -1,
			    .min_size = -1,
			    .max_size = -1};

	(void)ctx;
	if (!format_object(walk, element, &rule_shape, &rule)) {
		refuse_rule(walk, &rule);
		return;
	}
	strew_builder_add_rule(format_builder(walk), (int32_t)rule.id, rule.name,
			       (strew_kind)rule.kind);
	read_mask(walk, &rule);
	format_json_remarks(walk, element,
			    (struct map_remark){.owner = MAP_OF_RULE, .id = rule.id});
	format_list(walk, "steps", rule.steps, read_step, NULL);
}

void format_json_rules(struct format_map *map, json_t *rules)
{
	format_list(&map->walk, "rules", rules, read_rule, NULL);
}
