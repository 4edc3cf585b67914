/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <string.h>

/* OLD's rules in a copy of NEW: they are added, and its pools use them. */

struct rules {
	int32_t *ids; /* in the copy, by OLD's rules; below 0: not yet there */
	int32_t next; /* a free id */
};

/* The bucket of NEW that is like one of OLD. */
static const strew_bucket *like(const struct undoing *undoing, int32_t id)
{
	const struct diff_side *old = &undoing->diff->sides[0];
	int64_t index = map_bucket_index(old->map, id);

	if (index < 0 || old->buckets[index] == ANALYZE_NOWHERE)
		return NULL;
	return &undoing->diff->sides[1].map->buckets[old->buckets[index]];
}

/* OLD's step, in NEW's words. @return false: it can't be said */
static bool translate_step(const struct undoing *undoing, struct map_step *step)
{
	if (step->op == STREW_OP_TAKE && step->arg1 < 0) {
		const strew_bucket *bucket = like(undoing, step->arg1);

		step->arg1 = bucket ? bucket->id : 0;
		return bucket != NULL;
	}
	if (step->op == STREW_OP_TAKE)
		return map_device_index(undoing->map, step->arg1) >= 0;
	if (map_op_chooses((int)step->op) && step->arg2 > 0) {
		step->arg2 = strew_map_find_type(
			undoing->map, strew_map_type_name(undoing->old, step->arg2));
		return step->arg2 >= 0;
	}
	return true;
}

/* Steps that are OLD's, in the arena; NULL: there is no such rule, or no memory. */
static struct map_step *translate(struct undoing *undoing, const struct map_rule *rule)
{
	struct map_step *steps = map_rename_own(&undoing->copy, rule->steps,
						rule->step_count, sizeof(*steps));

	for (size_t i = 0; steps && i < rule->step_count; i++)
		if (!translate_step(undoing, &steps[i]))
			return NULL;
	return steps;
}

/* The id of OLD's rule in the copy, which gets it once; below 0: it can't have it. */
static int32_t old_rule(struct undoing *undoing, struct rules *rules,
			const struct map_rule *rule)
{
	int32_t *known = &rules->ids[rule - undoing->old->rules];
	struct map_rule *added = &undoing->map->rules[undoing->map->rule_count];

	if (*known >= 0)
		return *known;
	*added = *rule;
	added->id = rules->next;
	added->name = map_rename(&undoing->copy, "%s (before)", rule->name);
	added->steps = translate(undoing, rule);
	if (added->steps == NULL)
		return -1;
	undoing->map->rule_count++;
	*known = rules->next++;
	return *known;
}

/* Room for OLD's rules behind NEW's, and the first id that is free for them. */
static bool open_rules(struct undoing *undoing, struct rules *rules)
{
	size_t old = undoing->old->rule_count, new = undoing->map->rule_count;
	struct base_arena *arena = &undoing->copy.arena;
	struct map_rule *all = base_arena_alloc(arena, old + new, sizeof(*all));

	rules->ids = base_arena_alloc(arena, old, sizeof(*rules->ids));
	undoing->copy.failed |= all == NULL || rules->ids == NULL;
	if (undoing->copy.failed)
		return false;
	for (size_t i = 0; i < old; i++)
		rules->ids[i] = -1;
	memcpy(all, undoing->map->rules, new * sizeof(*all));
	undoing->map->rules = all;
	rules->next = new > 0 ? all[new - 1].id + 1 : 0;
	return true;
}

static const struct map_rule *rule_of(const struct diff *diff,
				      const struct analyze_group *group, int side)
{
	return map_rule_by_id(diff->sides[side].map,
			      analyze_diff_rule(diff, group, side));
}

bool analyze_diff_undo_rules(struct undoing *undoing)
{
	const struct diff *diff = undoing->diff;
	struct rules rules;

	if (!open_rules(undoing, &rules))
		return false;
	for (size_t i = 0; i < diff->plan.group_count; i++) {
		const struct analyze_group *group = &diff->plan.groups[i];
		int32_t rule = old_rule(undoing, &rules, rule_of(diff, group, 0));

		if (rule < 0)
			return false;
		if (group->pools[1])
			undoing->map->pools[group->pools[1] - diff->sides[1].map->pools]
				.rule = rule;
		else
			undoing->rule = rule;
	}
	return true;
}

static bool same_steps(const struct undoing *undoing, const struct map_rule *before,
		       const struct map_rule *after)
{
	if (before->step_count != after->step_count || before->kind != after->kind)
		return false;
	for (size_t i = 0; i < before->step_count; i++) {
		struct map_step step = before->steps[i];

		if (!translate_step(undoing, &step) || step.op != after->steps[i].op ||
		    step.arg1 != after->steps[i].arg1 ||
		    step.arg2 != after->steps[i].arg2)
			return false;
	}
	return true;
}

bool analyze_diff_rules_differ(const struct diff *diff)
{
	struct undoing undoing = {.diff = diff,
				  .old = diff->sides[0].map,
				  .map = (strew_map *)diff->sides[1].map};

	for (size_t i = 0; i < diff->plan.group_count; i++) {
		const struct analyze_group *group = &diff->plan.groups[i];

		if (!same_steps(&undoing, rule_of(diff, group, 0),
				rule_of(diff, group, 1)))
			return true;
	}
	return false;
}
