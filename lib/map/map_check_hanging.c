/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

/* Invariant 7. */

static void report_second(strew_builder *builder, const struct map_item_draft *first,
			  const struct map_item_draft *second)
{
	struct map_text item = map_label(builder, second->item.id);
	struct map_text a = map_label(builder, first->bucket);
	struct map_text at = map_at(builder, first->head.place, second->head.place);
	struct map_text b = map_label(builder, second->bucket);

	if ((second->flags & STREW_ITEM_LINK) && second->item.id < 0)
		return;
	if (second->flags & (STREW_ITEM_LINK | STREW_ITEM_TWICE_OK))
		map_warn_in_map(
			builder, second->head.place,
			"%s hangs in %s%s and in %s; it gets the data of both places",
			item.text, a.text, at.text, b.text);
	else
		map_fault(builder, second->head.place,
			  "%s hangs in %s%s and in %s; an item hangs in one place, once, "
			  "unless it is linked",
			  item.text, a.text, at.text, b.text);
}

/* The first place is one without flags, if there is any. */
static void check_places(strew_builder *builder, const struct map_list *places,
			 size_t first, size_t end)
{
	size_t main = first;

	while (main < end && ((struct map_item_draft *)map_list_at(places, main))->flags)
		main++;
	if (main == end)
		main = first;
	for (size_t i = first; i < end; i++)
		if (i != main)
			report_second(builder, map_list_at(places, main),
				      map_list_at(places, i));
}

static void key_hanging(struct map_key *key, const void *draft)
{
	const struct map_item_draft *item = draft;

	key->major = item->item.id;
	key->minor = item->head.place;
}

static const struct map_kind hanging = {"item", sizeof(struct map_item_draft),
					key_hanging, NULL};

/* Is it a place where an item hangs for itself? What closes a cycle has been reported as
 * that. */
static bool is_place(const strew_builder *builder, const struct map_item_draft *item)
{
	return !item->head.refused &&
	       map_bucket_draft(builder, item->bucket)->bucket.shadow_of == 0;
}

static struct map_draft *find_draft(const strew_builder *builder, int32_t id)
{
	struct map_bucket_draft *bucket = map_bucket_draft(builder, id);
	struct map_device_draft *device = map_device_draft(builder, id);

	if (bucket)
		return &bucket->head;
	return device ? &device->head : NULL;
}

static void count_places(const strew_builder *builder)
{
	for (size_t i = 0; i < builder->items.vec.count; i++) {
		const struct map_item_draft *item = map_list_at(&builder->items, i);
		struct map_draft *draft = find_draft(builder, item->item.id);

		if (draft && draft->hung < 2 && is_place(builder, item))
			draft->hung++;
	}
}

/* Of what hangs in two places or more, or isn't there. */
static void list_places(strew_builder *builder, struct map_list *places)
{
	for (size_t i = 0; i < builder->items.vec.count && !builder->failed; i++) {
		const struct map_item_draft *item = map_list_at(&builder->items, i);
		const struct map_draft *draft = find_draft(builder, item->item.id);
		struct map_item_draft *added;

		if ((draft && draft->hung < 2) || !is_place(builder, item))
			continue;
		added = map_push(builder, &places->vec, sizeof(*added));
		if (added)
			*added = *item;
	}
}

/* Some devices of many. */
struct part {
	size_t count, all;
	int32_t first;
};

static void count_in(struct part *part, const struct map_device_draft *draft, bool is)
{
	part->all++;
	if (is && part->count++ == 0)
		part->first = draft->device.id;
}

static bool is_most(const struct part *part)
{
	return part->count > part->all - part->count;
}

/* Where most of the tree isn't in the list, or most of the list isn't in the tree, the
 * two are hardly of one cluster. Some that don't match are daily work. */
static void check_strangers(strew_builder *builder)
{
	struct part missing = {0}, strays = {0};

	if (builder->limit_epoch == 0)
		return;
	for (size_t i = 0; i < builder->devices.vec.count; i++) {
		const struct map_device_draft *draft = map_list_at(&builder->devices, i);

		if (draft->head.hung > 0)
			count_in(&missing, draft, !draft->device.exists);
		if (draft->device.exists)
			count_in(&strays, draft, draft->head.hung == 0);
	}
	if (missing.all == 0 || strays.all == 0)
		return;
	if (is_most(&missing))
		map_warn(builder, builder->limit_place,
			 "%zu of the %zu devices in the tree don't exist by this list of "
			 "devices, %s the first: is it of the same cluster?",
			 missing.count, missing.all,
			 map_label(builder, missing.first).text);
	if (is_most(&strays))
		map_warn(builder, builder->limit_place,
			 "%zu of the %zu devices in this list hang nowhere in the tree, "
			 "%s the first: is it of the same cluster?",
			 strays.count, strays.all, map_label(builder, strays.first).text);
}

void map_check_hanging(strew_builder *builder)
{
	struct map_list places = {&hanging, {0}};
	size_t count, end;

	count_places(builder);
	list_places(builder, &places);
	map_list_sort(builder, &places);
	count = builder->failed ? 0 : places.vec.count;
	for (size_t first = 0; first < count; first = end) {
		const struct map_item_draft *items = places.vec.items;

		end = first + 1;
		while (end < count && items[end].item.id == items[first].item.id)
			end++;
		check_places(builder, &places, first, end);
	}
	base_vec_free(&places.vec, &builder->allocator);
	check_strangers(builder);
}
