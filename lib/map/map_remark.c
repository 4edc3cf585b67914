/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "map_priv.h"

/* Remarks on a link stay with it, wherever its item comes to be: it has a number for
 * them. */
static uint32_t number_link(strew_builder *builder)
{
	size_t count = builder->items.vec.count;
	struct map_item_draft *item;

	if (count == 0)
		return 0;
	item = map_list_at(&builder->items, count - 1);
	if (item->link == 0)
		item->link = ++builder->link_count;
	return item->link;
}

void map_add_remark(strew_builder *builder, const struct map_remark *remark)
{
	struct map_remark_draft *draft =
		map_push(builder, &builder->remarks, sizeof(*draft));

	if (draft == NULL)
		return;
	draft->remark = *remark;
	draft->remark.name = map_keep(builder, remark->name);
	draft->remark.text = map_keep(builder, remark->text);
	draft->rule = SIZE_MAX;
	if (remark->owner == MAP_OF_RULE && remark->id == STREW_AUTO_ID)
		draft->rule = builder->rules.vec.count - 1;
	if (remark->owner == MAP_OF_LINK)
		draft->link = number_link(builder);
}

static int64_t final_id(const strew_builder *builder, int64_t id)
{
	return id < 0 ? map_final_id(builder, (int32_t)id) : id;
}

/* The ids of rules by number, which rules are no longer in order of; or NULL. */
static int32_t *list_rule_ids(strew_builder *builder)
{
	size_t count = builder->rules.vec.count;
	int32_t *ids = base_arena_alloc(&builder->scratch, count, sizeof(*ids));

	for (size_t i = 0; ids && i < count; i++) {
		const struct map_rule_draft *draft = map_list_at(&builder->rules, i);

		ids[draft->number] = draft->rule.id;
	}
	return ids;
}

/* Where the links with remarks have come to hang: the bucket, and the item's place in it.
 */
struct link {
	int32_t bucket; /* 0: nowhere any more */
	size_t place;
};

static struct link *list_links(strew_builder *builder)
{
	struct link *links = base_arena_alloc(
		&builder->scratch, (size_t)builder->link_count + 1, sizeof(*links));

	if (links == NULL)
		return NULL;
	memset(links, 0, ((size_t)builder->link_count + 1) * sizeof(*links));
	for (size_t i = 0; builder->link_count && i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);
		const struct map_item_draft *items = map_bucket_items(builder, draft);

		for (size_t j = 0; j < draft->bucket.item_count; j++)
			if (items[j].link > 0)
				links[items[j].link] = (struct link){draft->bucket.id, j};
	}
	return links;
}

/* Is there an override of the PG of the same kind: a temp, or an upmap? */
static bool has_override(const strew_builder *builder, const struct map_remark *remark)
{
	const struct map_override_draft *end =
		(const struct map_override_draft *)builder->overrides.vec.items +
		builder->overrides.vec.count;
	const struct map_override_draft *draft =
		map_list_find(&builder->overrides, remark->id, remark->other);

	for (; draft && draft < end; draft++) {
		bool is_temp =
			draft->kind == MAP_PG_TEMP || draft->kind == MAP_PRIMARY_TEMP;

		if (draft->pg.pool != remark->id || draft->pg.seed != remark->other)
			return false;
		if (is_temp == (remark->owner == MAP_OF_TEMP))
			return true;
	}
	return false;
}

/* The edit that took it out left them behind, or the build dropped it. */
static bool has_owner(const strew_builder *builder, const struct map_remark *remark)
{
	switch (remark->owner) {
	case MAP_OF_DEVICES:
		return map_device_draft(builder, (int32_t)remark->id) != NULL;
	case MAP_OF_BUCKET:
	case MAP_OF_LINK:
	case MAP_OF_CLASS_BUCKET:
		return map_bucket_draft(builder, (int32_t)remark->id) != NULL;
	case MAP_OF_WEIGHTS:
		return map_bucket_draft(builder, (int32_t)remark->other) != NULL;
	case MAP_OF_USE:
		return map_list_find(&builder->uses, remark->id, remark->other) != NULL;
	case MAP_OF_UPMAP:
	case MAP_OF_TEMP:
		return has_override(builder, remark);
	default:
		return true;
	}
}

/* What the build decides: ids that it chose, places. */
struct decided {
	const int32_t *rule_ids;
	const struct link *links;
};

static void settle(const strew_builder *builder, struct map_remark_draft *draft,
		   const struct decided *decided)
{
	struct map_remark *remark = &draft->remark;

	if (remark->owner == MAP_OF_BUCKET)
		remark->id = final_id(builder, remark->id);
	if (remark->owner == MAP_OF_WEIGHTS)
		remark->other = final_id(builder, remark->other);
	if (remark->owner == MAP_OF_LINK) {
		remark->id = decided->links[draft->link].bucket;
		remark->other = (int64_t)decided->links[draft->link].place;
	}
	if (draft->rule < builder->rules.vec.count)
		remark->id = decided->rule_ids[draft->rule];
}

/* Settles them all, and drops those of what is gone. */
static void settle_all(strew_builder *builder, const struct decided *decided)
{
	struct map_remark_draft *drafts = builder->remarks.items;
	size_t count = 0;

	for (size_t i = 0; i < builder->remarks.count; i++) {
		settle(builder, &drafts[i], decided);
		if (!has_owner(builder, &drafts[i].remark))
			continue;
		drafts[count] = drafts[i];
		drafts[count].head.place = (uint32_t)count;
		count++;
	}
	builder->remarks.count = count;
}

static int compare_owners(const struct map_remark *a, const struct map_remark *b)
{
	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->other < b->other ? -1 : a->other > b->other;
}

int map_compare_remarks(const void *left, const void *right)
{
	const struct map_remark *a = left, *b = right;
	int order = compare_owners(a, b);

	return order ? order : strcmp(a->name, b->name);
}

/* Drafts of one owner and name in the order of adding, which their places in the list,
 * kept in `head.place`, tell. */
static int compare_drafts(const void *left, const void *right)
{
	const struct map_remark_draft *a = left, *b = right;
	int order = map_compare_remarks(&a->remark, &b->remark);

	if (order)
		return order;
	return a->head.place < b->head.place ? -1 : a->head.place > b->head.place;
}

bool map_freeze_remarks(strew_map *map, strew_builder *builder)
{
	struct map_remark_draft *drafts = builder->remarks.items;
	const struct decided decided = {list_rule_ids(builder), list_links(builder)};
	size_t count;

	map->remarks = base_arena_alloc(&builder->kept, builder->remarks.count,
					sizeof(*map->remarks));
	if (map->remarks == NULL || decided.rule_ids == NULL || decided.links == NULL)
		return false;
	settle_all(builder, &decided);
	count = builder->remarks.count;
	if (count > 1)
		qsort(drafts, count, sizeof(*drafts), compare_drafts);
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count ||
		    map_compare_remarks(&drafts[i].remark, &drafts[i + 1].remark) != 0)
			map->remarks[map->remark_count++] = drafts[i].remark;
	return true;
}

const struct map_remark *map_remarks(const strew_map *map, enum map_owner owner,
				     int64_t id, int64_t other, size_t *count)
{
	const struct map_remark wanted = {.owner = owner, .id = id, .other = other};
	size_t low = 0, high = map->remark_count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_owners(&map->remarks[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < map->remark_count &&
	       compare_owners(&map->remarks[end], &wanted) == 0)
		end++;
	*count = end - low;
	return end > low ? map->remarks + low : NULL;
}
