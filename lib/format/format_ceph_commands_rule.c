/* SPDX-License-Identifier: MIT */
/* Rules: the three shapes that commands can make, renames and removals. */
#include <string.h>

#include "format_ceph_commands.h"

/* What a rule of such a shape says. */
struct shape {
	const strew_bucket *root;
	const char *class_name; /* NULL: any */
	int32_t type;
	bool indep;
};

static bool is_step(const struct map_step *step, strew_op op, int32_t arg1)
{
	return step->op == op && step->arg1 == arg1;
}

/* take … emit; a device is chosen as such, anything else for one device below it. */
static bool read_choice(struct shape *shape, const strew_map *map,
			const struct map_step *steps)
{
	strew_op leaf =
		shape->indep ? STREW_OP_CHOOSELEAF_INDEP : STREW_OP_CHOOSELEAF_FIRSTN;
	strew_op plain = shape->indep ? STREW_OP_CHOOSE_INDEP : STREW_OP_CHOOSE_FIRSTN;

	shape->type = steps[1].arg2;
	if (steps[0].op != STREW_OP_TAKE || steps[2].op != STREW_OP_EMIT ||
	    !is_step(&steps[1], shape->type == 0 ? plain : leaf, 0))
		return false;
	shape->root = strew_map_bucket_by_id(map, steps[0].arg1);
	if (shape->root && shape->root->shadow_of != 0) {
		shape->class_name = shape->root->class_name;
		shape->root = strew_map_bucket_by_id(map, shape->root->shadow_of);
	}
	return shape->root != NULL;
}

static bool read_shape(struct shape *shape, const strew_map *map,
		       const struct map_rule *rule)
{
	const struct map_step *steps = rule->steps;

	*shape = (struct shape){.indep = rule->step_count == 5};
	if (rule->step_count == 3 && rule->kind == STREW_KIND_REPLICATED)
		return read_choice(shape, map, steps);
	if (rule->step_count != 5 ||
	    !is_step(&steps[0], STREW_OP_SET_CHOOSELEAF_TRIES, 5) ||
	    !is_step(&steps[1], STREW_OP_SET_CHOOSE_TRIES, 100) ||
	    !read_choice(shape, map, steps + 2))
		return false;
	return rule->kind == STREW_KIND_ERASURE ||
	       (rule->kind == STREW_KIND_REPLICATED && shape->class_name == NULL);
}

/* Data and other shards of the first pool that has the rule; else the least there are. */
static void find_shards(const strew_map *map, const struct map_rule *rule, int *k, int *m)
{
	*k = 2;
	*m = rule->has_mask && rule->max_size > 3 ? rule->max_size - 2 : 1;
	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];

		if (pool->rule != rule->id || pool->k <= 0 || pool->k >= pool->size)
			continue;
		*k = pool->k;
		*m = pool->size - pool->k;
		return;
	}
}

static void make_erasure(struct format_commands *commands, const struct map_rule *rule,
			 const struct shape *shape, const char *type)
{
	struct format_quoted name = format_quote_name(commands, rule->name);
	struct format_quoted root = format_quote_name(commands, shape->root->name);
	int k, m;

	find_shards(commands->after.map, rule, &k, &m);
	format_command(commands, FORMAT_RULES,
		       "osd erasure-code-profile set rule-%s k=%d m=%d crush-root=%s "
		       "crush-failure-domain=%s%s%s",
		       name.text, k, m, root.text, type,
		       shape->class_name ? " crush-device-class=" : "",
		       shape->class_name ? shape->class_name : "");
	format_command(commands, FORMAT_RULES, "osd crush rule create-erasure %s rule-%s",
		       name.text, name.text);
}

static void make_rule(struct format_commands *commands, const struct map_rule *rule)
{
	struct format_quoted name, root;
	struct shape shape;
	const char *type;

	if (!read_shape(&shape, commands->after.map, rule)) {
		format_command_lose(commands, "the steps of rule %s", rule->name);
		return;
	}
	type = strew_map_type_name(commands->after.map, shape.type);
	name = format_quote_name(commands, rule->name);
	root = format_quote_name(commands, shape.root->name);
	if (rule->kind == STREW_KIND_ERASURE)
		make_erasure(commands, rule, &shape, type);
	else if (shape.indep)
		format_command(commands, FORMAT_RULES,
			       "osd crush rule create-simple %s %s %s indep", name.text,
			       root.text, type);
	else
		format_command(commands, FORMAT_RULES,
			       "osd crush rule create-replicated %s %s %s%s%s", name.text,
			       root.text, type, shape.class_name ? " " : "",
			       shape.class_name ? shape.class_name : "");
}

/* What a take names, on both sides the same bucket or device? */
static bool takes_same(const struct format_commands *commands, int32_t was, int32_t is)
{
	const strew_bucket *old = strew_map_bucket_by_id(commands->before.map, was);
	const strew_bucket *new = strew_map_bucket_by_id(commands->after.map, is);

	if (old == NULL || new == NULL)
		return was == is && old == new;
	if ((old->shadow_of != 0) != (new->shadow_of != 0))
		return false;
	if (old->shadow_of == 0)
		return format_other(&commands->after, new) == old;
	return strcmp(old->class_name, new->class_name) == 0 &&
	       format_other(&commands->after, strew_map_bucket_by_id(commands->after.map,
								     new->shadow_of)) ==
		       strew_map_bucket_by_id(commands->before.map, old->shadow_of);
}

static bool is_same_rule(const struct format_commands *commands,
			 const struct map_rule *was, const struct map_rule *is)
{
	if (was->kind != is->kind || was->step_count != is->step_count)
		return false;
	for (size_t i = 0; i < is->step_count; i++) {
		const struct map_step *old = &was->steps[i], *new = &is->steps[i];

		if (old->op != new->op || old->arg2 != new->arg2)
			return false;
		if (new->op == STREW_OP_TAKE ? !takes_same(commands, old->arg1, new->arg1)
					     : old->arg1 != new->arg1)
			return false;
	}
	return true;
}

static void keep_rule(struct format_commands *commands, const struct map_rule *was,
		      const struct map_rule *is)
{
	struct format_quoted from, to;

	if (!is_same_rule(commands, was, is))
		format_command_lose(commands, "the other steps of rule %s", is->name);
	if (strcmp(was->name, is->name) == 0)
		return;
	from = format_quote_name(commands, was->name);
	to = format_quote_name(commands, is->name);
	format_command(commands, FORMAT_RULES, "osd crush rule rename %s %s", from.text,
		       to.text);
}

/* The cluster takes the lowest free id; rules that go are still there then. */
static int32_t next_free(const strew_map *map, int32_t from)
{
	while (map_rule_by_id(map, from))
		from++;
	return from;
}

void format_commands_rules(struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;
	int32_t next = -1;

	for (size_t i = 0; i < after->rule_count; i++) {
		const struct map_rule *is = &after->rules[i];
		const struct map_rule *was = map_rule_by_id(before, is->id);

		if (was) {
			keep_rule(commands, was, is);
			continue;
		}
		next = next_free(before, next + 1);
		if (next != is->id)
			format_command_lose(commands, "the id %d of rule %s (it gets %d)",
					    (int)is->id, is->name, (int)next);
		make_rule(commands, is);
	}
}

void format_commands_remove_rules(struct format_commands *commands)
{
	const strew_map *before = commands->before.map;

	for (size_t i = 0; i < before->rule_count; i++)
		if (map_rule_by_id(commands->after.map, before->rules[i].id) == NULL)
			format_command(
				commands, FORMAT_REMOVALS, "osd crush rule rm %s",
				format_quote_name(commands, before->rules[i].name).text);
}
