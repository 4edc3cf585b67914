/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

static const char *const op_names[] = {
	[STREW_OP_NOOP] = "noop",
	[STREW_OP_TAKE] = "take",
	[STREW_OP_CHOOSE_FIRSTN] = "choose firstn",
	[STREW_OP_CHOOSE_INDEP] = "choose indep",
	[STREW_OP_EMIT] = "emit",
	[STREW_OP_CHOOSELEAF_FIRSTN] = "chooseleaf firstn",
	[STREW_OP_CHOOSELEAF_INDEP] = "chooseleaf indep",
	[STREW_OP_SET_CHOOSE_TRIES] = "set_choose_tries",
	[STREW_OP_SET_CHOOSELEAF_TRIES] = "set_chooseleaf_tries",
	[STREW_OP_SET_CHOOSE_LOCAL_TRIES] = "set_choose_local_tries",
	[STREW_OP_SET_CHOOSE_LOCAL_FALLBACK_TRIES] = "set_choose_local_fallback_tries",
	[STREW_OP_SET_CHOOSELEAF_VARY_R] = "set_chooseleaf_vary_r",
	[STREW_OP_SET_CHOOSELEAF_STABLE] = "set_chooseleaf_stable",
	[STREW_OP_SET_MSR_DESCENTS] = "set_msr_descents",
	[STREW_OP_SET_MSR_COLLISION_TRIES] = "set_msr_collision_tries",
	[STREW_OP_CHOOSE_MSR] = "choosemsr",
};

const char *map_op_name(int op)
{
	if (op < 0 || op >= (int)(sizeof(op_names) / sizeof(op_names[0])))
		return NULL;
	return op_names[op];
}

bool map_op_leaf(int op)
{
	return op == STREW_OP_CHOOSELEAF_FIRSTN || op == STREW_OP_CHOOSELEAF_INDEP;
}

bool map_op_is_msr(int op)
{
	return op == STREW_OP_CHOOSE_MSR || op == STREW_OP_SET_MSR_DESCENTS ||
	       op == STREW_OP_SET_MSR_COLLISION_TRIES;
}

bool map_kind_is_msr(strew_kind kind)
{
	return kind == STREW_KIND_MSR_FIRSTN || kind == STREW_KIND_MSR_INDEP;
}

bool map_kind_copies(strew_kind kind)
{
	return kind == STREW_KIND_REPLICATED || kind == STREW_KIND_MSR_FIRSTN;
}

bool map_op_chooses(int op)
{
	return map_op_leaf(op) || op == STREW_OP_CHOOSE_FIRSTN ||
	       op == STREW_OP_CHOOSE_INDEP || op == STREW_OP_CHOOSE_MSR;
}

void strew_builder_add_rule(strew_builder *builder, int32_t id, const char *name,
			    strew_kind kind)
{
	struct map_rule_draft *draft = map_list_add(builder, &builder->rules);

	if (draft == NULL)
		return;
	draft->rule.id = id;
	draft->rule.name = map_keep(builder, name);
	draft->rule.kind = kind;
	draft->first_step = builder->steps.count;
	draft->number = builder->rules.vec.count - 1;
	draft->head.refused = id != STREW_AUTO_ID &&
			      !map_check_id(builder, draft->head.place, MAP_RULES, id);
}

static struct map_rule_draft *last_rule(strew_builder *builder)
{
	if (builder->rules.vec.count > 0)
		return map_list_at(&builder->rules, builder->rules.vec.count - 1);
	if (!builder->failed)
		map_fault(builder, map_here(builder),
			  "a part of a rule comes before any rule; start the rule first");
	return NULL;
}

void strew_builder_set_rule_mask(strew_builder *builder, uint8_t ruleset,
				 uint8_t min_size, uint8_t max_size)
{
	struct map_rule_draft *draft = last_rule(builder);

	if (draft == NULL)
		return;
	draft->rule.has_mask = true;
	draft->rule.ruleset = ruleset;
	draft->rule.min_size = min_size;
	draft->rule.max_size = max_size;
}

static struct map_step_draft *add_step(strew_builder *builder, strew_op op, int32_t arg1,
				       int32_t arg2)
{
	struct map_rule_draft *rule = last_rule(builder);
	uint32_t place = map_here(builder);
	struct map_step_draft *draft;

	if (rule == NULL)
		return NULL;
	draft = map_push(builder, &builder->steps, sizeof(*draft));
	if (draft == NULL)
		return NULL;
	rule->rule.step_count++;
	draft->head.place = place;
	draft->step = (struct map_step){op, arg1, arg2};
	return draft;
}

void strew_builder_add_take(strew_builder *builder, int32_t item)
{
	add_step(builder, STREW_OP_TAKE, item, 0);
}

void strew_builder_add_take_name(strew_builder *builder, const char *item,
				 const char *class_name)
{
	struct map_step_draft *draft = add_step(builder, STREW_OP_TAKE, 0, 0);

	if (draft == NULL)
		return;
	draft->name = map_keep(builder, item);
	draft->class_name = class_name ? map_keep_word(builder, class_name) : NULL;
}

void strew_builder_add_choose(strew_builder *builder, strew_op op, int32_t count,
			      int32_t type, const char *type_name)
{
	struct map_step_draft *draft = add_step(builder, op, count, type);

	if (draft && type_name)
		draft->name = map_keep_word(builder, type_name);
}

void strew_builder_add_step(strew_builder *builder, strew_op op, int32_t argument)
{
	add_step(builder, op, argument, 0);
}

void map_add_raw_step(strew_builder *builder, uint32_t op, int32_t arg1, int32_t arg2)
{
	struct map_step_draft *draft = add_step(builder, (strew_op)op, arg1, arg2);

	if (draft)
		draft->raw = true;
}

static void settle_take(const strew_builder *builder, struct map_step_draft *draft)
{
	int32_t class_index = map_class_index(builder, draft->class_name);
	bool found =
		draft->name && map_find_item(builder, draft->name, &draft->step.arg1);

	if (draft->name == NULL)
		draft->step.arg1 = map_final_id(builder, draft->step.arg1);
	if (found && draft->class_name)
		draft->step.arg1 = map_shadow_id(builder, draft->step.arg1, class_index);
	draft->unknown = (draft->name && !found) ||
			 (found && draft->step.arg1 == 0 && draft->class_name) ||
			 !map_item_exists(builder, draft->step.arg1);
}

static void settle_choose(const strew_builder *builder, struct map_step_draft *draft)
{
	const struct map_name *type;

	if (draft->name) {
		type = map_names_find(&builder->type_names, draft->name);
		draft->unknown = type == NULL;
		draft->step.arg2 = type ? (int32_t)type->id : 0;
	} else {
		draft->unknown =
			map_list_find(&builder->types, draft->step.arg2, 0) == NULL;
	}
}

static void index_rules(strew_builder *builder)
{
	for (size_t i = 0; i < builder->rules.vec.count; i++) {
		const struct map_rule_draft *draft = map_list_at(&builder->rules, i);

		if (draft->rule.name[0] != '\0')
			map_names_add(builder, &builder->rule_names, draft->rule.name,
				      draft->rule.id, draft->head.place);
	}
	map_names_sort(&builder->rule_names);
}

/* STREW_AUTO_ID sorts before all ids:
 * those without one come first, then the others by id. */
static void give_ids(strew_builder *builder)
{
	size_t count = builder->rules.vec.count, other = 0;
	int32_t next = 0;

	while (other < count &&
	       ((struct map_rule_draft *)map_list_at(&builder->rules, other))->rule.id ==
		       STREW_AUTO_ID)
		other++;
	for (size_t i = 0, end = other; i < end; i++) {
		struct map_rule_draft *draft = map_list_at(&builder->rules, i);

		for (; other < count; other++) {
			const struct map_rule_draft *taken =
				map_list_at(&builder->rules, other);

			if (taken->rule.id > next)
				break;
			next += taken->rule.id == next;
		}
		draft->rule.id = next;
		draft->head.refused =
			!map_check_id(builder, draft->head.place, MAP_RULES, next);
		next++;
	}
}

void map_settle_rules(strew_builder *builder)
{
	struct map_step_draft *steps = builder->steps.items;

	map_list_sort(builder, &builder->rules);
	give_ids(builder);
	map_list_sort(builder, &builder->rules);
	map_list_refuse_twins(&builder->rules);
	index_rules(builder);
	for (size_t i = 0; i < builder->steps.count; i++) {
		if (steps[i].step.op == STREW_OP_TAKE)
			settle_take(builder, &steps[i]);
		else if (map_op_chooses((int)steps[i].step.op))
			settle_choose(builder, &steps[i]);
	}
}

bool map_freeze_rules(strew_map *map, strew_builder *builder)
{
	const struct map_step_draft *steps = builder->steps.items;

	map->rule_count = builder->rules.vec.count;
	map->rules =
		base_arena_alloc(&builder->kept, map->rule_count, sizeof(*map->rules));
	if (map->rules == NULL)
		return false;
	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule_draft *draft = map_list_at(&builder->rules, i);
		struct map_rule *rule = &map->rules[i];

		*rule = draft->rule;
		rule->steps = base_arena_alloc(&builder->kept, rule->step_count,
					       sizeof(*rule->steps));
		if (rule->steps == NULL)
			return false;
		for (size_t j = 0; j < rule->step_count; j++)
			rule->steps[j] = steps[draft->first_step + j].step;
	}
	return true;
}
