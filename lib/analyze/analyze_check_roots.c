/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <inttypes.h>
#include <string.h>

/** Takes that lead to the same devices. */

#define TAKES_MAX 64

/* Which of some takes lead to a device or bucket: a bit for each. */
struct takes {
	struct check *check;
	int32_t ids[TAKES_MAX];
	const strew_pool *pools[TAKES_MAX]; /* one that takes it */
	size_t count;
	uint64_t *buckets;
	uint64_t *devices;
};

static strew_status open_takes(struct takes *takes, struct check *check)
{
	const strew_map *map = check->map;

	*takes = (struct takes){.check = check};
	takes->buckets = base_calloc(check->allocator, map->bucket_count + 1,
				     sizeof(*takes->buckets));
	takes->devices = base_calloc(check->allocator, map->device_count + 1,
				     sizeof(*takes->devices));
	return takes->buckets && takes->devices ? STREW_OK : STREW_ENOMEM;
}

static void close_takes(struct takes *takes)
{
	const strew_map *map = takes->check->map;

	base_free(takes->check->allocator, takes->buckets,
		  (map->bucket_count + 1) * sizeof(*takes->buckets));
	base_free(takes->check->allocator, takes->devices,
		  (map->device_count + 1) * sizeof(*takes->devices));
}

static void clear_takes(struct takes *takes)
{
	const strew_map *map = takes->check->map;

	takes->count = 0;
	memset(takes->buckets, 0, map->bucket_count * sizeof(*takes->buckets));
	memset(takes->devices, 0, map->device_count * sizeof(*takes->devices));
}

static void add_take(struct takes *takes, int32_t id, const strew_pool *pool)
{
	const strew_map *map = takes->check->map;
	int64_t index = id < 0 ? map_bucket_index(map, id) : map_device_index(map, id);

	if (takes->count == TAKES_MAX || index < 0)
		return;
	takes->ids[takes->count] = id;
	takes->pools[takes->count] = pool;
	if (id < 0)
		takes->buckets[index] |= UINT64_C(1) << takes->count;
	else
		takes->devices[index] |= UINT64_C(1) << takes->count;
	takes->count++;
}

static void go_down(struct takes *takes)
{
	const struct analyze_tree *tree = &takes->check->tree;

	for (size_t i = 0; i < tree->map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];

		for (size_t at = tree->first[bucket];
		     takes->buckets[bucket] && at < tree->first[bucket + 1]; at++) {
			int32_t item = tree->items[at];
			uint64_t *below = item < 0 ? &takes->buckets[-1 - item]
						   : &takes->devices[item];

			*below |= takes->buckets[bucket];
		}
	}
}

/* Devices that some of the takes have in common. @return how many, and the first */
static size_t count_shared(const struct takes *takes, uint64_t any, uint64_t all,
			   size_t *first)
{
	size_t count = 0;

	for (size_t i = 0; i < takes->check->map->device_count; i++) {
		uint64_t here = takes->devices[i] & any;

		if ((here & all) != all || (here & (here - 1)) == 0)
			continue;
		if (count++ == 0)
			*first = i;
	}
	return count;
}

static void say_shared(struct check *check, size_t count, size_t first)
{
	analyze_check_say(check, "%zu device%s in common, such as %s", count,
			  count == 1 ? "" : "s", check->map->devices[first].name);
}

static void say_twice(struct check *check, const struct map_rule *rule)
{
	struct check_uses *uses = analyze_check_uses(check);

	for (size_t i = 0; uses && i < uses->count; i++) {
		const struct check_use *use = &uses->uses[i];

		if (use->rule != rule || use->twice == 0)
			continue;
		analyze_check_say(check, "; with %d %s a device is there twice for ",
				  use->want, analyze_check_shards(use));
		analyze_check_say_rate(check, use->twice, use);
		return;
	}
}

static void look_at_rule(struct takes *takes, const struct map_rule *rule)
{
	struct check *check = takes->check;
	struct analyze_block block;
	size_t at = 0, count, first = 0;

	clear_takes(takes);
	while (analyze_next_block(&block, rule, &at))
		add_take(takes, block.take->arg1, NULL);
	if (takes->count < 2)
		return;
	go_down(takes);
	count = count_shared(takes, UINT64_MAX, 0, &first);
	if (count == 0)
		return;
	analyze_check_begin(check, "rule %s", rule->name);
	analyze_check_say(check, "its %zu takes have ", takes->count);
	say_shared(check, count, first);
	say_twice(check, rule);
	if (check->status == STREW_OK)
		analyze_check_end(check);
}

static void find_rule_overlaps(struct check *check)
{
	struct takes takes;

	check->status = open_takes(&takes, check);
	for (size_t i = 0; i < check->map->rule_count && check->status == STREW_OK; i++)
		look_at_rule(&takes, &check->map->rules[i]);
	close_takes(&takes);
}

static bool has_take(const struct takes *takes, int32_t id)
{
	for (size_t i = 0; i < takes->count; i++)
		if (takes->ids[i] == id)
			return true;
	return false;
}

static void add_pool_takes(struct takes *takes, const strew_pool *pool)
{
	const struct map_rule *rule = map_rule_by_id(takes->check->map, pool->rule);
	struct analyze_block block;
	size_t at = 0;

	while (rule && analyze_next_block(&block, rule, &at))
		if (!has_take(takes, block.take->arg1))
			add_take(takes, block.take->arg1, pool);
}

static void look_at_pair(struct takes *takes, size_t a, size_t b)
{
	struct check *check = takes->check;
	uint64_t both = UINT64_C(1) << a | UINT64_C(1) << b;
	size_t first = 0, count = count_shared(takes, both, both, &first);

	if (count == 0 || takes->pools[a]->rule == takes->pools[b]->rule)
		return;
	analyze_check_begin(check, "pool %s", takes->pools[b]->name);
	analyze_check_say(
		check, "pool %s takes %s and pool %s takes %s, which have ",
		takes->pools[a]->name, analyze_item_name(check->map, takes->ids[a]),
		takes->pools[b]->name, analyze_item_name(check->map, takes->ids[b]));
	say_shared(check, count, first);
	analyze_check_end(check);
}

static void find_root_overlaps(struct check *check)
{
	struct takes takes;

	check->status = open_takes(&takes, check);
	if (check->status == STREW_OK) {
		for (size_t i = 0; i < check->map->pool_count; i++)
			add_pool_takes(&takes, &check->map->pools[i]);
		go_down(&takes);
		for (size_t i = 0; i < takes.count; i++)
			for (size_t j = i + 1; j < takes.count; j++)
				look_at_pair(&takes, i, j);
	}
	close_takes(&takes);
}

static const struct check_kind kinds[] = {
	{"rule-overlap", CHECK_WARNING,
	 "Let the takes lead to different devices, as by classes: what one has chosen "
	 "the others don't know.",
	 find_rule_overlaps},
	{"roots-overlap", CHECK_WARNING,
	 "Let all pools take by class, or none: these devices fill up by both, and "
	 "Ceph's autoscaler leaves such pools alone.",
	 find_root_overlaps},
};

const struct check_subject analyze_check_roots = CHECK_SUBJECT(kinds);
