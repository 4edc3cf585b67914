/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base_str.h"

/* What differs besides the tree: tunables, rules, weight sets, pools, overrides. */

static const struct {
	const char *name;
	size_t offset;
} tunables[] = {
	{"choose_local_tries", offsetof(struct map_tunables, choose_local_tries)},
	{"choose_local_fallback_tries",
	 offsetof(struct map_tunables, choose_local_fallback_tries)},
	{"choose_total_tries", offsetof(struct map_tunables, choose_total_tries)},
	{"chooseleaf_descend_once",
	 offsetof(struct map_tunables, chooseleaf_descend_once)},
	{"chooseleaf_vary_r", offsetof(struct map_tunables, chooseleaf_vary_r)},
	{"chooseleaf_stable", offsetof(struct map_tunables, chooseleaf_stable)},
	{"straw_calc_version", offsetof(struct map_tunables, straw_calc_version)},
	{"msr_descents", offsetof(struct map_tunables, msr_descents)},
	{"msr_collision_tries", offsetof(struct map_tunables, msr_collision_tries)},
};

static uint32_t tunable_of(const strew_map *map, size_t index)
{
	uint32_t value;

	memcpy(&value, (const char *)&map->tunables + tunables[index].offset,
	       sizeof(value));
	return value;
}

static void compare_tunables(struct diff *diff)
{
	for (size_t i = 0; i < sizeof(tunables) / sizeof(tunables[0]); i++) {
		uint32_t before = tunable_of(diff->sides[0].map, i);
		uint32_t after = tunable_of(diff->sides[1].map, i);
		char from[16], to[16];

		if (before == after)
			continue;
		snprintf(from, sizeof(from), "%" PRIu32, before);
		snprintf(to, sizeof(to), "%" PRIu32, after);
		analyze_diff_add_change(diff, DIFF_TUNABLE, tunables[i].name, from, to);
	}
}

/* Two descriptions that are compared, and shown where they differ. */
struct texts {
	struct base_str sides[2];
};

static void open_texts(struct texts *texts, const struct diff *diff)
{
	base_str_init(&texts->sides[0], diff->allocator);
	base_str_init(&texts->sides[1], diff->allocator);
}

/* Nothing is null; frees the texts. */
static void close_texts(struct texts *texts, struct diff *diff, enum diff_change what,
			const char *item)
{
	const char *from = base_str_text(&texts->sides[0]);
	const char *to = base_str_text(&texts->sides[1]);

	if (strcmp(from, to) != 0)
		analyze_diff_add_change(diff, what, item, *from ? from : NULL,
					*to ? to : NULL);
	if (!base_str_ok(&texts->sides[0]) || !base_str_ok(&texts->sides[1]))
		diff->out_of_memory = true;
	base_str_free(&texts->sides[0]);
	base_str_free(&texts->sides[1]);
}

static void describe_rule(struct base_str *text, const strew_map *map,
			  const struct map_rule *rule)
{
	if (rule == NULL)
		return;
	base_str_addf(text, "id %" PRId32 ", %s: ", rule->id,
		      analyze_kind_name(rule->kind));
	analyze_add_steps(text, map, rule);
}

static void compare_rules(struct diff *diff, const struct map_rule *before,
			  const struct map_rule *after)
{
	const char *name = after ? after->name : before->name;
	struct texts texts;

	open_texts(&texts, diff);
	describe_rule(&texts.sides[0], diff->sides[0].map, before);
	describe_rule(&texts.sides[1], diff->sides[1].map, after);
	close_texts(&texts, diff, DIFF_RULE, name);
}

/* Rules are the same by name, and by id where they have none. */
static const struct map_rule *rule_like(const strew_map *map, const struct map_rule *rule)
{
	const struct map_rule *like = map_rule_by_id(map, rule->id);
	int32_t id;

	if (rule->name[0] == '\0' || (like && strcmp(like->name, rule->name) == 0))
		return like;
	id = strew_map_find_rule(map, rule->name);
	return id < 0 ? NULL : map_rule_by_id(map, id);
}

static void compare_rule_lists(struct diff *diff)
{
	const strew_map *before = diff->sides[0].map, *after = diff->sides[1].map;

	for (size_t i = 0; i < before->rule_count; i++)
		compare_rules(diff, &before->rules[i],
			      rule_like(after, &before->rules[i]));
	for (size_t i = 0; i < after->rule_count; i++) {
		if (rule_like(before, &after->rules[i]) == NULL)
			compare_rules(diff, NULL, &after->rules[i]);
	}
}

/* What a choice is made for: raw inputs, or a pool. */
static void add_choice(struct diff *diff, const struct analyze_group *group,
		       const char *what, const char *from, const char *to)
{
	char item[128];

	snprintf(item, sizeof(item), "%s", what);
	if (group->pools[1])
		snprintf(item, sizeof(item), "%s of %.110s", what, group->pools[1]->name);
	analyze_diff_add_change(diff, DIFF_CHOICE, item, from, to);
}

static void compare_chosen_rules(struct diff *diff, const struct analyze_group *group)
{
	const struct map_rule *rules[2];

	for (int i = 0; i < 2; i++)
		rules[i] = map_rule_by_id(diff->sides[i].map,
					  analyze_diff_rule(diff, group, i));
	/* A caller that names one rule for both sides gives its id in NEW. */
	if (diff->how.new_rule >= 0 && strcmp(rules[0]->name, rules[1]->name) != 0)
		add_choice(diff, group, "rule", rules[0]->name, rules[1]->name);
}

static void compare_chosen_sizes(struct diff *diff, const struct analyze_group *group)
{
	int before = analyze_diff_want(diff, group, 0);
	int after = analyze_diff_want(diff, group, 1);
	char from[16], to[16];

	if (diff->how.new_want <= 0 || before == after)
		return;
	snprintf(from, sizeof(from), "%d", before);
	snprintf(to, sizeof(to), "%d", after);
	add_choice(diff, group, "size", from, to);
}

static void compare_choices(struct diff *diff)
{
	for (size_t i = 0; i < diff->plan.group_count; i++) {
		compare_chosen_rules(diff, &diff->plan.groups[i]);
		compare_chosen_sizes(diff, &diff->plan.groups[i]);
	}
}

static bool same_words(const uint32_t *a, const uint32_t *b, size_t count)
{
	if (a == NULL || b == NULL)
		return a == b;
	return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

static size_t item_count(const strew_map *map, int32_t bucket)
{
	const strew_bucket *found = strew_map_bucket_by_id(map, bucket);

	return found ? found->item_count : 0;
}

static bool same_weights(const struct diff *diff, const struct map_weights *before,
			 const struct map_weights *after)
{
	size_t items = item_count(diff->sides[0].map, before->bucket);

	return before->bucket == after->bucket && before->positions == after->positions &&
	       items == item_count(diff->sides[1].map, after->bucket) &&
	       same_words(before->rows, after->rows, items * before->positions) &&
	       same_words((const uint32_t *)before->ids, (const uint32_t *)after->ids,
			  items);
}

static bool same_sets(const struct diff *diff, const struct map_weight_set *before,
		      const struct map_weight_set *after)
{
	if (before->bucket_count != after->bucket_count)
		return false;
	for (size_t i = 0; i < before->bucket_count; i++) {
		if (!same_weights(diff, &before->buckets[i], &after->buckets[i]))
			return false;
	}
	return true;
}

static void compare_weight_sets(struct diff *diff)
{
	const strew_map *before = diff->sides[0].map, *after = diff->sides[1].map;

	for (size_t i = 0; i < before->weight_set_count; i++) {
		const struct map_weight_set *set = &before->weight_sets[i];
		const struct map_weight_set *other = map_weight_set_by_id(after, set->id);

		if (other == NULL)
			analyze_diff_add_change(diff, DIFF_WEIGHT_SET, set->name,
						"present", NULL);
		else if (!same_sets(diff, set, other))
			analyze_diff_add_change(diff, DIFF_WEIGHT_SET, set->name,
						"as it was", "changed");
	}
	for (size_t i = 0; i < after->weight_set_count; i++) {
		const struct map_weight_set *set = &after->weight_sets[i];

		if (map_weight_set_by_id(before, set->id) == NULL)
			analyze_diff_add_change(diff, DIFF_WEIGHT_SET, set->name, NULL,
						"present");
	}
}

void analyze_diff_rule_changes(struct diff *diff)
{
	compare_tunables(diff);
	compare_rule_lists(diff);
	compare_choices(diff);
	compare_weight_sets(diff);
}

static void describe_pool(struct base_str *text, const strew_map *map,
			  const strew_pool *pool)
{
	const char *rule;

	if (pool == NULL)
		return;
	rule = strew_map_rule_name(map, pool->rule);
	base_str_addf(text, "%s, %s, rule %s, %" PRIu32 " PGs, pgp_num %" PRIu32,
		      pool->name, analyze_kind_name(pool->kind), rule ? rule : "?",
		      pool->pg_num, pool->pgp_num);
	base_str_addf(text, ", size %d, min_size %d", pool->size, pool->min_size);
	if (pool->kind == STREW_KIND_ERASURE)
		base_str_addf(text, ", k %d", pool->k);
	if (!pool->hashpspool)
		base_str_add(text, ", without hashpspool");
}

static void compare_pools(struct diff *diff, const strew_pool *before,
			  const strew_pool *after)
{
	const char *name = after ? after->name : before->name;
	struct texts texts;

	open_texts(&texts, diff);
	describe_pool(&texts.sides[0], diff->sides[0].map, before);
	describe_pool(&texts.sides[1], diff->sides[1].map, after);
	close_texts(&texts, diff, DIFF_POOL, name);
}

static void compare_pool_lists(struct diff *diff)
{
	const strew_map *before = diff->sides[0].map, *after = diff->sides[1].map;

	for (size_t i = 0; i < before->pool_count; i++)
		compare_pools(diff, &before->pools[i],
			      strew_map_pool_by_id(after, before->pools[i].id));
	for (size_t i = 0; i < after->pool_count; i++) {
		if (strew_map_pool_by_id(before, after->pools[i].id) == NULL)
			compare_pools(diff, NULL, &after->pools[i]);
	}
}

static void add_devices(struct base_str *text, const int32_t *devices, size_t count)
{
	base_str_add(text, "set");
	for (size_t i = 0; i < count; i++)
		base_str_addf(text, " %" PRId32, devices[i]);
}

/* pg_temp and primary_temp don't decide where data belongs. */
void analyze_diff_describe_upmap(struct base_str *text,
				 const struct map_override *override)
{
	if (override == NULL)
		return;
	if (override->upmap)
		add_devices(text, override->upmap, override->upmap_count);
	for (size_t i = 0; i < override->upmap_item_count; i++)
		base_str_addf(text, "%s%" PRId32 " → %" PRId32,
			      base_str_len(text) > 0 ? ", " : "",
			      override->upmap_items[2 * i],
			      override->upmap_items[2 * i + 1]);
	if (override->upmap_primary != STREW_NONE)
		base_str_addf(text, "%sprimary %" PRId32,
			      base_str_len(text) > 0 ? ", " : "",
			      override->upmap_primary);
}

static void compare_overrides(struct diff *diff, const struct map_override *before,
			      const struct map_override *after)
{
	strew_pg pg = after ? after->pg : before->pg;
	struct texts texts;
	char item[48];

	snprintf(item, sizeof(item), "%" PRId64 ".%" PRIx32, pg.pool, pg.seed);
	open_texts(&texts, diff);
	analyze_diff_describe_upmap(&texts.sides[0], before);
	analyze_diff_describe_upmap(&texts.sides[1], after);
	close_texts(&texts, diff, DIFF_UPMAP, item);
}

/* Below 0: a comes first, or b is past its end. */
static int order_of(const struct map_override *a, const struct map_override *b)
{
	if (a == NULL || b == NULL)
		return a ? -1 : 1;
	if (a->pg.pool != b->pg.pool)
		return a->pg.pool < b->pg.pool ? -1 : 1;
	if (a->pg.seed != b->pg.seed)
		return a->pg.seed < b->pg.seed ? -1 : 1;
	return 0;
}

static const struct map_override *override_at(const strew_map *map, size_t index)
{
	return index < map->override_count ? &map->overrides[index] : NULL;
}

static void compare_override_lists(struct diff *diff)
{
	const strew_map *before = diff->sides[0].map, *after = diff->sides[1].map;
	size_t i = 0, j = 0;

	while (i < before->override_count || j < after->override_count) {
		const struct map_override *a = override_at(before, i);
		const struct map_override *b = override_at(after, j);
		int order = order_of(a, b);

		compare_overrides(diff, order <= 0 ? a : NULL, order >= 0 ? b : NULL);
		i += order <= 0;
		j += order >= 0;
	}
}

void analyze_diff_pool_changes(struct diff *diff)
{
	compare_pool_lists(diff);
	compare_override_lists(diff);
}
