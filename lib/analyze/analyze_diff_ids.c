/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <string.h>

#include "base_error.h"

/*
 * Ids of buckets are hashed, so that a bucket of another id draws its data anew. Each
 * bucket of NEW has a wish: the id of its like in OLD. The like is the bucket of the same
 * name or, where a rule takes the tree of another device class than it did, the one that
 * stands in the same place there.
 */

/* By NEW's buckets; 0: none. */
struct wishes {
	const struct diff *diff;
	int32_t *ids;
	bool *wished; /* OLD's buckets whose ids are wished for: one can have it */
	size_t count;
};

static void wish(struct wishes *wishes, size_t bucket, uint32_t like)
{
	const struct diff *diff = wishes->diff;

	if (wishes->ids[bucket] != 0 || wishes->wished[like] ||
	    !diff->changes.reached[bucket])
		return;
	wishes->ids[bucket] = diff->sides[0].map->buckets[like].id;
	wishes->wished[like] = true;
}

static bool has_class(const strew_bucket *bucket, const char *class_name)
{
	if (class_name == NULL || bucket->shadow_of == 0)
		return class_name == NULL && bucket->shadow_of == 0;
	return bucket->class_name && strcmp(bucket->class_name, class_name) == 0;
}

/* The place in the map of the bucket that a bucket shadows, or its own. */
static uint32_t base_of(const strew_map *map, size_t bucket)
{
	int32_t base = map->buckets[bucket].shadow_of;
	int64_t index = base ? map_bucket_index(map, base) : (int64_t)bucket;

	return index < 0 ? ANALYZE_NOWHERE : (uint32_t)index;
}

/* By OLD's bases: OLD's bucket of the class, or ANALYZE_NOWHERE. */
static void list_class(uint32_t *list, const strew_map *map, const char *class_name)
{
	for (size_t i = 0; i < map->bucket_count; i++)
		list[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < map->bucket_count; i++) {
		uint32_t base = base_of(map, i);

		if (base != ANALYZE_NOWHERE && has_class(&map->buckets[i], class_name))
			list[base] = (uint32_t)i;
	}
}

static strew_status wish_for_class(struct wishes *wishes, const char *before,
				   const char *after)
{
	const struct diff *diff = wishes->diff;
	const strew_map *old = diff->sides[0].map, *new = diff->sides[1].map;
	size_t room = old->bucket_count + 1;
	uint32_t *list = base_alloc(diff->allocator, room, sizeof(*list));

	if (list == NULL)
		return STREW_ENOMEM;
	list_class(list, old, before);
	for (size_t i = 0; i < new->bucket_count; i++) {
		uint32_t base = base_of(new, i), like;

		if (base == ANALYZE_NOWHERE || !has_class(&new->buckets[i], after))
			continue;
		like = diff->sides[1].buckets[base];
		if (like != ANALYZE_NOWHERE && list[like] != ANALYZE_NOWHERE)
			wish(wishes, i, list[like]);
	}
	base_free(diff->allocator, list, room * sizeof(*list));
	return STREW_OK;
}

/* The bucket of a rule's n-th take. */
static const strew_bucket *taken_bucket(const strew_map *map, const struct map_rule *rule,
					size_t take)
{
	for (size_t i = 0; i < rule->step_count; i++)
		if (rule->steps[i].op == STREW_OP_TAKE && take-- == 0)
			return strew_map_bucket_by_id(map, rule->steps[i].arg1);
	return NULL;
}

/* Do the two stand for one bucket, for devices of different classes? */
static bool is_class_switch(const struct diff *diff, const strew_bucket *before,
			    const strew_bucket *after)
{
	const strew_map *old = diff->sides[0].map, *new = diff->sides[1].map;
	uint32_t from = base_of(old, (size_t)(before - old->buckets));
	uint32_t to = base_of(new, (size_t)(after - new->buckets));

	if (from == ANALYZE_NOWHERE || to == ANALYZE_NOWHERE)
		return false;
	return diff->sides[1].buckets[to] == from &&
	       !has_class(before, after->shadow_of ? after->class_name : NULL);
}

/* Pools mostly share a rule, and so a switch: once is enough. */
static bool has_wish(const struct wishes *wishes, const strew_bucket *bucket)
{
	return wishes->ids[bucket - wishes->diff->sides[1].map->buckets] != 0;
}

static strew_status wish_for_group(struct wishes *wishes,
				   const struct analyze_group *group)
{
	const struct diff *diff = wishes->diff;
	const struct map_rule *rules[2];
	strew_status status = STREW_OK;

	for (int i = 0; i < 2; i++)
		rules[i] = map_rule_by_id(diff->sides[i].map,
					  analyze_diff_rule(diff, group, i));
	for (size_t take = 0; status == STREW_OK; take++) {
		const strew_bucket *before =
			taken_bucket(diff->sides[0].map, rules[0], take);
		const strew_bucket *after =
			taken_bucket(diff->sides[1].map, rules[1], take);

		if (before == NULL || after == NULL)
			break;
		if (has_wish(wishes, after) || !is_class_switch(diff, before, after))
			continue;
		status = wish_for_class(wishes,
					before->shadow_of ? before->class_name : NULL,
					after->shadow_of ? after->class_name : NULL);
	}
	return status;
}

static void wish_by_name(struct wishes *wishes)
{
	const struct diff_side *new = &wishes->diff->sides[1];

	for (size_t i = 0; i < new->map->bucket_count; i++)
		if (new->buckets[i] != ANALYZE_NOWHERE)
			wish(wishes, i, new->buckets[i]);
}

/* A wish for what the bucket has is none. `takers`: who wishes for an id of NEW, by the
 * place of the bucket that has it. */
static void settle(struct wishes *wishes, uint32_t *takers)
{
	const strew_map *new = wishes->diff->sides[1].map;

	for (size_t i = 0; i < new->bucket_count; i++)
		takers[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < new->bucket_count; i++) {
		int64_t holder;

		if (wishes->ids[i] == new->buckets[i].id)
			wishes->ids[i] = 0;
		if (wishes->ids[i] == 0)
			continue;
		wishes->count++;
		holder = map_bucket_index(new, wishes->ids[i]);
		if (holder >= 0)
			takers[holder] = (uint32_t)i;
	}
}

/* Who loses its id and has no wish gets the one that is given up in turn: at the end of a
 * line of takers, for a switch of two that of the other. */
static void give_freed(struct wishes *wishes, const uint32_t *takers)
{
	const strew_map *new = wishes->diff->sides[1].map;

	for (uint32_t i = 0; i < new->bucket_count; i++) {
		uint32_t last = i;

		if (wishes->ids[i] != 0 || takers[i] == ANALYZE_NOWHERE)
			continue;
		while (takers[last] != ANALYZE_NOWHERE)
			last = takers[last];
		wishes->ids[i] = new->buckets[last].id;
	}
}

static strew_status make_wishes(struct wishes *wishes, unsigned kinds, uint32_t *takers)
{
	const struct diff *diff = wishes->diff;
	size_t groups = (kinds & DIFF_IDS_TAKEN) ? diff->plan.group_count : 0;
	strew_status status = STREW_OK;

	for (size_t i = 0; i < groups && !status; i++)
		status = wish_for_group(wishes, &diff->plan.groups[i]);
	if (status)
		return status;
	if (kinds & DIFF_IDS_NAMED)
		wish_by_name(wishes);
	settle(wishes, takers);
	give_freed(wishes, takers);
	return STREW_OK;
}

strew_status analyze_diff_wish_ids(struct diff_ids *ids, const struct diff *diff,
				   unsigned kinds)
{
	size_t old_room = diff->sides[0].map->bucket_count + 1;
	size_t new_room = diff->sides[1].map->bucket_count + 1;
	uint32_t *takers = base_alloc(diff->allocator, new_room, sizeof(*takers));
	struct wishes wishes = {.diff = diff};
	strew_status status = STREW_ENOMEM;

	wishes.wished = base_calloc(diff->allocator, old_room, sizeof(*wishes.wished));
	ids->ids = wishes.ids = base_calloc(diff->allocator, new_room, sizeof(*ids->ids));
	if (takers && wishes.wished && ids->ids)
		status = make_wishes(&wishes, kinds, takers);
	ids->count = wishes.count;
	base_free(diff->allocator, wishes.wished, old_room * sizeof(*wishes.wished));
	base_free(diff->allocator, takers, new_room * sizeof(*takers));
	return status;
}

void analyze_diff_ids_free(struct diff_ids *ids, const struct diff *diff)
{
	base_free(diff->allocator, ids->ids,
		  (diff->sides[1].map->bucket_count + 1) * sizeof(*ids->ids));
	ids->ids = NULL;
}
