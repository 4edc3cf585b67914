/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "edit_priv.h"

/** The steps of a rule that is being put together. */
struct steps {
	struct map_step list[MAP_STEPS_MAX];
	size_t count;
};

static void add_step(struct steps *steps, strew_op op, int32_t arg1, int32_t arg2)
{
	steps->list[steps->count++] = (struct map_step){op, arg1, arg2};
}

static strew_status check_name(strew_edit *edit, struct edit_call *call,
			       const struct edit_arg *name)
{
	if (strew_map_find_rule(&edit->map, name->text) < 0)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, name,
			   "there is a rule \"%.96s\" already; names of rules must be "
			   "unique",
			   name->text);
}

/* The shadow of a bucket for a class. */
static strew_status find_shadow(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *root, const struct edit_arg *class,
				int32_t *id)
{
	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		const strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->shadow_of == root->id &&
		    strcmp(bucket->class_name, class->text) == 0) {
			*id = bucket->id;
			return STREW_OK;
		}
	}
	return edit_refuse(call, STREW_ENOTFOUND, class,
			   "%s has no devices of class \"%.64s\" that a rule could take; "
			   "set the class of some first",
			   edit_label(edit, call, root->id), class->text);
}

static int32_t free_rule_id(const strew_edit *edit, size_t *at)
{
	int32_t id = 0;
	size_t i = 0;

	while (i < edit->map.rule_count && edit->map.rules[i].id == id) {
		id++;
		i++;
	}
	*at = i;
	return id;
}

static bool has_masks(const strew_edit *edit)
{
	for (size_t i = 0; i < edit->map.rule_count; i++)
		if (edit->map.rules[i].has_mask)
			return true;
	return false;
}

/* The old mask is written where the map's other rules have one. */
static void insert_rule(strew_edit *edit, const char *name, strew_kind kind,
			const struct steps *steps)
{
	bool mask = has_masks(edit), erasure = kind == STREW_KIND_ERASURE;
	size_t at;
	int32_t id = free_rule_id(edit, &at);
	struct map_rule *rule = edit_insert(edit, &edit->rules, sizeof(*rule), at);

	if (rule == NULL)
		return;
	rule->id = id;
	rule->name = edit_keep(edit, name);
	rule->kind = kind;
	rule->has_mask = mask && id <= UINT8_MAX;
	rule->ruleset = (uint8_t)id;
	rule->min_size = erasure ? 3 : 1;
	rule->max_size = erasure ? 20 : 10;
	rule->steps = edit_alloc(edit, steps->count, sizeof(*rule->steps));
	if (rule->steps == NULL)
		return;
	memcpy(rule->steps, steps->list, steps->count * sizeof(*rule->steps));
	rule->step_count = steps->count;
}

/* As Ceph's monitor makes them. */
static void fill_simple(struct steps *steps, strew_kind kind, int32_t root, int32_t type)
{
	bool indep = kind == STREW_KIND_ERASURE;

	if (indep) {
		add_step(steps, STREW_OP_SET_CHOOSELEAF_TRIES, 5, 0);
		add_step(steps, STREW_OP_SET_CHOOSE_TRIES, 100, 0);
	}
	add_step(steps, STREW_OP_TAKE, root, 0);
	if (type == 0)
		add_step(steps, indep ? STREW_OP_CHOOSE_INDEP : STREW_OP_CHOOSE_FIRSTN, 0,
			 0);
	else
		add_step(steps,
			 indep ? STREW_OP_CHOOSELEAF_INDEP : STREW_OP_CHOOSELEAF_FIRSTN,
			 0, type);
	add_step(steps, STREW_OP_EMIT, 0, 0);
}

static strew_status add_simple(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *name = &call->args[0], *kind = &call->args[1];
	const struct edit_arg *root = &call->args[2], *type = &call->args[3];
	const struct edit_arg *class = &call->args[4];
	strew_status status = check_name(edit, call, name);
	struct steps steps = {.count = 0};
	int32_t take = root->id;

	if (status == STREW_OK && kind->type > STREW_KIND_ERASURE)
		status = edit_refuse(call, STREW_EMAP, kind,
				     "such a rule is replicated or erasure; write MSR "
				     "rules with their steps");
	if (status == STREW_OK && class->text)
		status = find_shadow(edit, call, root, class, &take);
	if (status != STREW_OK)
		return status;
	fill_simple(&steps, (strew_kind)kind->type, take, type->type);
	insert_rule(edit, name->text, (strew_kind)kind->type, &steps);
	return STREW_OK;
}

/** Words of the steps, from here on. */
struct reader {
	strew_edit *edit;
	struct edit_call *call;
	const struct edit_word *words;
	size_t count;
	struct edit_arg arg; /* the word at work */
};

/* The next word of the step, or NULL at its end. */
static const char *next(struct reader *reader)
{
	if (reader->count == 0 || strcmp(reader->words->text, ";") == 0) {
		reader->arg.text = NULL;
		return NULL;
	}
	reader->arg.text = reader->words->text;
	reader->arg.column = reader->words->column;
	reader->words++;
	reader->count--;
	return reader->arg.text;
}

static strew_status expect(struct reader *reader, const char *what)
{
	const struct edit_arg *at = &reader->arg;
	struct edit_arg end = {.text = ";", .column = 0};

	if (at->text)
		return edit_refuse(reader->call, STREW_ESYNTAX, at,
				   "expected %s in place of \"%.64s\"", what, at->text);
	if (reader->count == 0)
		return edit_refuse(reader->call, STREW_ESYNTAX, NULL, "expected %s",
				   what);
	end.column = reader->words->column;
	return edit_refuse(reader->call, STREW_ESYNTAX, &end,
			   "expected %s before the end of the step", what);
}

static strew_status read_number(struct reader *reader, int32_t *out)
{
	const char *text = next(reader);
	int64_t number;
	bool minus = text && *text == '-';

	if (text == NULL || !edit_parse_number(&number, text + minus, INT32_MAX))
		return expect(reader, "a whole number");
	*out = (int32_t)(minus ? -number : number);
	return STREW_OK;
}

static strew_status read_take(struct reader *reader, struct map_step *step)
{
	struct edit_arg root;
	strew_status status;

	if (next(reader) == NULL)
		return expect(reader, "what to take");
	root = reader->arg;
	status = edit_find_item(reader->edit, reader->call, &root);
	step->arg1 = root.id;
	if (status != STREW_OK || next(reader) == NULL)
		return status;
	if (strcmp(reader->arg.text, "class") != 0 || next(reader) == NULL)
		return expect(reader, "\"class\" and a device class");
	return find_shadow(reader->edit, reader->call, &root, &reader->arg, &step->arg1);
}

static strew_status read_choose(struct reader *reader, struct map_step *step)
{
	strew_status status = read_number(reader, &step->arg1);

	if (status != STREW_OK)
		return status;
	if (next(reader) == NULL || strcmp(reader->arg.text, "type") != 0 ||
	    next(reader) == NULL)
		return expect(reader, "\"type\" and a type of buckets");
	status = edit_resolve(reader->edit, reader->call, &reader->arg, "TYPE", 4);
	step->arg2 = reader->arg.type;
	return status;
}

/* "chooseleaf firstn" is two words. */
static bool read_op(struct reader *reader, strew_op *op)
{
	char name[64];
	const char *word = next(reader);

	if (word == NULL)
		return false;
	snprintf(name, sizeof(name), "%.40s", word);
	if (strcmp(name, "choose") == 0 || strcmp(name, "chooseleaf") == 0) {
		word = next(reader);
		snprintf(name + strlen(name), sizeof(name) - strlen(name), " %.16s",
			 word ? word : "");
	}
	for (int i = 0; i <= STREW_OP_CHOOSE_MSR; i++) {
		*op = (strew_op)i;
		if (map_op_name(i) && strcmp(map_op_name(i), name) == 0)
			return true;
	}
	return false;
}

static strew_status read_step(struct reader *reader, struct map_step *step)
{
	strew_status status = STREW_OK;

	if (!read_op(reader, &step->op))
		return expect(reader, "a step, such as \"take default\", \"chooseleaf "
				      "firstn 0 type host\", \"emit\" or "
				      "\"set_choose_tries 100\"");
	if (step->op == STREW_OP_TAKE)
		status = read_take(reader, step);
	else if (map_op_chooses((int)step->op))
		status = read_choose(reader, step);
	else if (step->op != STREW_OP_EMIT && step->op != STREW_OP_NOOP)
		status = read_number(reader, &step->arg1);
	if (status == STREW_OK && reader->count > 0 && next(reader))
		status = expect(reader, "\";\"");
	return status;
}

static strew_status read_steps(struct reader *reader, struct steps *steps)
{
	strew_status status = STREW_OK;

	while (reader->count > 0 && status == STREW_OK) {
		if (steps->count == MAP_STEPS_MAX)
			return edit_refuse(reader->call, STREW_ERANGE, &reader->arg,
					   "a rule has at most %d steps", MAP_STEPS_MAX);
		status = read_step(reader, &steps->list[steps->count++]);
		if (reader->count > 0) {
			reader->words++;
			reader->count--;
		}
	}
	return status;
}

static strew_status add_raw(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *name = &call->args[0], *words = &call->args[2];
	struct reader reader = {edit, call, words->words, words->word_count, {0}};
	strew_status status = check_name(edit, call, name);
	struct steps steps = {.count = 0};

	if (status == STREW_OK)
		status = read_steps(&reader, &steps);
	if (status == STREW_OK)
		insert_rule(edit, name->text, (strew_kind)call->args[1].type, &steps);
	return status;
}

static size_t rule_index(const strew_edit *edit, int32_t id)
{
	return (size_t)(map_rule_by_id(&edit->map, id) - edit->map.rules);
}

static strew_status remove_rule(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *rule = &call->args[0];

	for (size_t i = 0; i < edit->map.pool_count; i++)
		if (edit->map.pools[i].rule == rule->id)
			return edit_refuse(call, STREW_EMAP, rule,
					   "the pool \"%.96s\" uses the rule; give it "
					   "another one first",
					   edit->map.pools[i].name);
	edit_erase(edit, &edit->rules, sizeof(struct map_rule),
		   rule_index(edit, rule->id));
	edit_forget(edit, MAP_OF_RULE, rule->id);
	return STREW_OK;
}

static strew_status rename_rule(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *name = &call->args[1];
	strew_status status = check_name(edit, call, name);

	if (status == STREW_OK)
		edit->map.rules[rule_index(edit, call->args[0].id)].name =
			edit_keep(edit, name->text);
	return status;
}

const struct edit_op edit_rule_ops[] = {
	{"add rule NAME KIND take BUCKET over TYPE [class CLASS]",
	 "a rule that puts each shard below another bucket of a type, as Ceph makes them",
	 add_simple},
	{"add rule NAME KIND steps STEPS",
	 "a rule of these steps, with \";\" between them", add_raw},
	{"remove rule RULE", "take out a rule that no pool uses", remove_rule},
	{"rename rule RULE NAME", "give a rule another name", rename_rule},
	{NULL, NULL, NULL},
};
