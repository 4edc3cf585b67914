/* SPDX-License-Identifier: MIT */
/* Rules and weight sets ("choose_args") of a CRUSH dump. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format_ceph_priv.h"

struct rule {
	int64_t id, kind, ruleset, min_size, max_size;
	const char *name;
	json_t *steps;
};

static const struct format_field rule_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_RULE_ID, rule, id, 0, INT32_MAX),
	FORMAT_OPTIONAL(KEY_RULE_NAME, FORMAT_TEXT, rule, name),
	FORMAT_REQUIRED_RANGE(KEY_TYPE, rule, kind, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_RULESET, rule, ruleset, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MIN_SIZE, rule, min_size, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MAX_SIZE, rule, max_size, 0, 255),
	FORMAT_REQUIRED(KEY_STEPS, FORMAT_LIST, rule, steps),
};
static const struct format_shape rule_shape = FORMAT_SHAPE("rule", rule_fields, true);

struct step {
	const char *op, *type;
	int64_t item, num, opcode, arg1, arg2;
};

#define STEP_NUMBER(key, member)                                                         \
	FORMAT_OPTIONAL_RANGE(key, step, member, INT32_MIN, INT32_MAX)

static const struct format_field step_fields[] = {
	FORMAT_OPTIONAL(KEY_OP, FORMAT_TEXT, step, op),
	FORMAT_OPTIONAL(KEY_TYPE, FORMAT_TEXT, step, type),
	STEP_NUMBER(KEY_ITEM, item),
	STEP_NUMBER(KEY_NUM, num),
	FORMAT_OPTIONAL_RANGE(KEY_OPCODE, step, opcode, INT32_MIN, UINT32_MAX),
	STEP_NUMBER(KEY_ARG1, arg1),
	STEP_NUMBER(KEY_ARG2, arg2),
};
static const struct format_shape step_shape = FORMAT_SHAPE("step", step_fields, true);

#define NOT_GIVEN INT64_MIN

static bool need(struct format_walk *walk, bool given, const char *op, const char *member)
{
	if (!given)
		format_fault(walk, "the step \"%s\" needs the member \"%s\"", op, member);
	return given;
}

static void read_named_step(struct format_walk *walk, const struct step *step)
{
	const struct format_word *word = format_word(step->op, strlen(step->op));
	strew_op op = word ? (strew_op)word->value : STREW_OP_NOOP;

	switch (word ? word->form : WORD_MODE) {
	case WORD_BARE:
		strew_builder_add_step(format_builder(walk), op, 0);
		break;
	case WORD_TAKE:
		if (need(walk, step->item != NOT_GIVEN, step->op, "item"))
			strew_builder_add_take(format_builder(walk), (int32_t)step->item);
		break;
	case WORD_CHOOSE:
		if (need(walk, step->num != NOT_GIVEN, step->op, "num") &&
		    need(walk, step->type != NULL, step->op, "type"))
			strew_builder_add_choose(format_builder(walk), op,
						 (int32_t)step->num, 0, step->type);
		break;
	case WORD_SET:
		if (need(walk, step->num != NOT_GIVEN, step->op, "num"))
			strew_builder_add_step(format_builder(walk), op,
					       (int32_t)step->num);
		break;
	default:
		format_fault(walk, "\"%s\" is not a step that is known", step->op);
	}
}

/* Releases print the steps that they have no words for by number, and we those whose
 * types have no names. */
static void read_numbered_step(struct format_ceph *ceph, const struct step *step)
{
	map_add_raw_step(format_builder(ceph->walk), (uint32_t)step->opcode,
			 (int32_t)step->arg1, (int32_t)step->arg2);
	if (map_op_chooses((int)step->opcode) && step->arg2 >= 0 &&
	    step->arg2 <= UINT16_MAX &&
	    !format_ceph_keep_id(ceph, &ceph->nameless, (int32_t)step->arg2))
		ceph->walk->failed = true;
}

static void read_step(struct format_walk *walk, json_t *element, void *ctx)
{
	struct step step = {.item = NOT_GIVEN, .num = NOT_GIVEN, .opcode = NOT_GIVEN};

	if (!format_object(walk, element, &step_shape, &step))
		return;
	if (step.op)
		read_named_step(walk, &step);
	else if (step.opcode != NOT_GIVEN)
		read_numbered_step(ctx, &step);
	else
		format_fault(walk, "this step has no \"op\" and no \"opcode\"");
}

static bool accept_kind(struct format_walk *walk, int64_t kind)
{
	size_t mark;

	if (kind == STREW_KIND_REPLICATED || kind == STREW_KIND_ERASURE ||
	    map_kind_is_msr((strew_kind)kind))
		return true;
	mark = format_enter(walk, "type");
	format_fault_range(
		walk,
		"the type of a rule is 1 (replicated), 3 (erasure), 4 (msr_firstn) or 5 "
		"(msr_indep), not %d",
		(int)kind);
	format_leave(walk, mark);
	return false;
}

static void refuse_rule(struct format_walk *walk, const struct rule *rule)
{
	if (rule->id >= 0)
		map_refuse_rule(format_builder(walk), (int32_t)rule->id, rule->name);
	else
		map_refuse_all(format_builder(walk), MAP_RULES);
}

static void read_rule(struct format_walk *walk, json_t *element, void *ctx)
{
	struct rule rule = {
		.id = -1, .name = "", .ruleset = -1, .min_size = -1, .max_size = -1};

	if (!format_object(walk, element, &rule_shape, &rule) ||
	    !accept_kind(walk, rule.kind)) {
		refuse_rule(walk, &rule);
		return;
	}
	strew_builder_add_rule(format_builder(walk), (int32_t)rule.id, rule.name,
			       (strew_kind)rule.kind);
	if (rule.ruleset >= 0 && rule.min_size >= 0 && rule.max_size >= 0)
		strew_builder_set_rule_mask(format_builder(walk), (uint8_t)rule.ruleset,
					    (uint8_t)rule.min_size,
					    (uint8_t)rule.max_size);
	format_list(walk, "steps", rule.steps, read_step, ctx);
}

void format_ceph_rules(struct format_ceph *ceph, json_t *rules)
{
	format_list(ceph->walk, "rules", rules, read_rule, ceph);
}

struct weights {
	int64_t bucket;
	json_t *rows, *ids;
};

static const struct format_field weights_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_BUCKET_ID, weights, bucket, STREW_BUCKET_ID_MIN, -1),
	FORMAT_OPTIONAL(KEY_WEIGHT_SET, FORMAT_LIST, weights, rows),
	FORMAT_OPTIONAL(KEY_IDS, FORMAT_LIST, weights, ids),
};
static const struct format_shape weights_shape =
	FORMAT_SHAPE("bucket in a weight set", weights_fields, true);

/* The zeros that all short rows of a file together may ask for: "[]" is two bytes, and a
 * bucket may have a million items. */
#define PADDING_MAX 1000000

/* Where a row is read for a bucket. */
struct rows {
	struct format_ceph *ceph;
	int32_t bucket;
	const struct format_ceph_bucket *known; /* NULL: the builder will drop the rows */
};

/* Ceph cuts a row that is too long, and fills one that is too short with zeros. */
static bool fit_row(struct rows *rows, struct base_vec *row)
{
	struct format_walk *walk = rows->ceph->walk;
	size_t count = rows->known ? rows->known->item_count : row->count;
	size_t more = count > row->count ? count - row->count : 0;

	if (row->count == count)
		return true;
	if (more > PADDING_MAX - rows->ceph->padding) {
		format_fault_range(
			walk,
			"short rows lack more than %d weights, the most that are "
			"filled up in one file",
			PADDING_MAX);
		return false;
	}
	rows->ceph->padding += more;
	format_warn(
		walk,
		"the row has %zu weights, but the bucket %zu items; as in Ceph it is %s",
		row->count, count, more > 0 ? "filled up with zeros" : "cut");
	if (more > 0 &&
	    base_vec_extend(row, walk->allocator, sizeof(uint32_t), more) == NULL)
		walk->failed = true;
	row->count = count;
	return !walk->failed;
}

static void read_row(struct format_walk *walk, json_t *element, void *ctx)
{
	struct rows *rows = ctx;
	struct base_vec row = {0};

	if (format_weights(walk, element, &row) && fit_row(rows, &row))
		strew_builder_add_weight_row(format_builder(walk), rows->bucket,
					     row.items, row.count);
	base_vec_free(&row, walk->allocator);
}

static void read_weights(struct format_walk *walk, json_t *element, void *ctx)
{
	struct weights weights = {.rows = NULL};
	struct rows rows = {.ceph = ctx};

	if (!format_object(walk, element, &weights_shape, &weights))
		return;
	rows.bucket = (int32_t)weights.bucket;
	rows.known = format_ceph_find(ctx, rows.bucket);
	format_list(walk, "weight_set", weights.rows, read_row, &rows);
	if (json_array_size(weights.ids) > 0)
		format_weight_ids(walk, weights.ids, rows.bucket);
}

/* A set's name is its id: a pool's, or -1, which Ceph's text prints without a sign. */
static bool parse_set_id(const char *name, int64_t *id)
{
	char *end;

	if (strcmp(name, "18446744073709551615") == 0) {
		*id = -1;
		return true;
	}
	errno = 0;
	*id = strtoll(name, &end, 10);
	return errno == 0 && end != name && *end == '\0' && *id >= -1;
}

void format_ceph_choose_args(struct format_ceph *ceph, json_t *sets)
{
	struct format_walk *walk = ceph->walk;
	const char *name;
	json_t *set;
	size_t mark = format_enter(walk, "choose_args");

	json_object_foreach(sets, name, set)
	{
		size_t outside = format_enter(walk, name);
		int64_t id = 0;

		if (!parse_set_id(name, &id)) {
			format_fault(walk,
				     "a weight set is called by its pool's id, or -1");
		} else if (!json_is_array(set)) {
			format_fault(walk, "expected a list, found %s",
				     format_kind_of(set));
		} else {
			strew_builder_add_weight_set(format_builder(walk), id, NULL);
			format_elements(walk, set, read_weights, ceph);
		}
		format_leave(walk, outside);
	}
	format_leave(walk, mark);
}
