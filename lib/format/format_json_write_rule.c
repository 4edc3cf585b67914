/* SPDX-License-Identifier: MIT */
/* Rules as words. */
#include <string.h>

#include "base_alloc.h"
#include "format_json_write.h"
#include "format_words.h"

/* A name as a word of a step: in quotes where it has blanks or could be taken for one in
 * quotes; its own quotes are then written twice. */
static void add_name(struct base_str *step, const char *name)
{
	bool quoted = name[0] == '\0' || name[0] == '\'' || name[0] == '"' ||
		      strpbrk(name, " \t\r\n");
	char quote = strchr(name, '\'') ? '"' : '\'';

	if (!quoted) {
		base_str_add(step, name);
		return;
	}
	base_str_add_bytes(step, &quote, 1);
	for (; *name != '\0'; name++) {
		base_str_add_bytes(step, name, 1);
		if (*name == quote)
			base_str_add_bytes(step, name, 1);
	}
	base_str_add_bytes(step, &quote, 1);
}

/* A shadow is taken by the bucket that it is one of, and its class. */
static void add_take(struct base_str *step, const strew_map *map, int32_t id)
{
	const strew_bucket *bucket = strew_map_bucket_by_id(map, id);
	const strew_bucket *base = NULL;

	base_str_add(step, "take ");
	if (bucket && bucket->shadow_of != 0)
		base = strew_map_bucket_by_id(map, bucket->shadow_of);
	if (base) {
		add_name(step, base->name);
		base_str_add(step, " class ");
		add_name(step, bucket->class_name);
	} else if (bucket) {
		add_name(step, bucket->name);
	} else {
		add_name(step, strew_map_device_by_id(map, id)->name);
	}
}

/* Do the words of a step say all of it? */
static bool has_words(const struct map_step *step)
{
	if (map_op_name((int)step->op) == NULL)
		return false;
	if (map_op_chooses((int)step->op))
		return true;
	if (step->op == STREW_OP_EMIT || step->op == STREW_OP_NOOP)
		return step->arg1 == 0 && step->arg2 == 0;
	return step->arg2 == 0;
}

static void add_step(struct base_str *text, const strew_map *map,
		     const struct map_step *step)
{
	const char *op = map_op_name((int)step->op);

	if (!has_words(step)) {
		base_str_addf(text, "op %u %d %d", (unsigned)step->op, (int)step->arg1,
			      (int)step->arg2);
	} else if (step->op == STREW_OP_TAKE) {
		add_take(text, map, step->arg1);
	} else if (map_op_chooses((int)step->op)) {
		base_str_addf(text, "%s %d type ", op, (int)step->arg1);
		add_name(text, strew_map_type_name(map, step->arg2));
	} else if (step->op == STREW_OP_EMIT || step->op == STREW_OP_NOOP) {
		base_str_add(text, op);
	} else {
		base_str_addf(text, "%s %d", op, (int)step->arg1);
	}
}

static void write_steps(struct format_json_out *out, const struct map_rule *rule)
{
	struct base_str step;

	base_str_init(&step, out->to.output->allocator);
	for (size_t i = 0; i < rule->step_count; i++) {
		base_str_clear(&step);
		add_step(&step, out->map, &rule->steps[i]);
		if (!base_str_ok(&step))
			format_out_no_memory(&out->to);
		format_json_put(out, i ? ", " : "");
		format_json_put_string(out, base_str_text(&step));
	}
	base_str_free(&step);
}

static void write_rule(struct format_json_out *out, const struct map_rule *rule,
		       bool is_first)
{
	format_json_start_line(out, 2, is_first);
	format_json_string_member(out, "name", rule->name);
	format_json_integer_member(out, "id", rule->id);
	format_json_string_member(out, "type", format_word_for(WORD_KIND, rule->kind));
	if (rule->has_mask) {
		format_json_integer_member(out, "ruleset", rule->ruleset);
		format_json_integer_member(out, "min_size", rule->min_size);
		format_json_integer_member(out, "max_size", rule->max_size);
	}
	format_json_remark_members(out, MAP_OF_RULE, rule->id, 0);
	format_json_put(out, ",\n      \"steps\": [");
	write_steps(out, rule);
	format_json_put(out, "] }");
}

void format_json_write_rules(struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (map->rule_count == 0)
		return;
	format_json_top_member(out, "rules");
	format_json_put(out, "[");
	for (size_t i = 0; i < map->rule_count && !format_out_stopped(&out->to); i++)
		write_rule(out, &map->rules[i], i == 0);
	format_json_put(out, "\n  ]");
	out->starts = false;
}
