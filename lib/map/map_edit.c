/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

/**
 * Edits by name. They apply in order once everything is added; each looks through all
 * items, so that they need no index that other edits would have to keep up. What they
 * change is marked with the edit's number for the sums to follow (map_tree.c).
 */

static struct map_edit_draft *add_edit(strew_builder *builder, enum map_edit_kind kind,
				       const char *item)
{
	uint32_t place = map_here(builder);
	struct map_edit_draft *edit = map_push(builder, &builder->edits, sizeof(*edit));

	if (edit == NULL)
		return NULL;
	edit->head.place = place;
	edit->kind = kind;
	edit->item = map_keep(builder, item);
	return edit;
}

void strew_builder_reweight(strew_builder *builder, const char *item, uint32_t weight)
{
	struct map_edit_draft *edit = add_edit(builder, MAP_EDIT_REWEIGHT, item);

	if (edit)
		edit->weight = weight;
}

void strew_builder_move(strew_builder *builder, const char *item, const char *to)
{
	struct map_edit_draft *edit = add_edit(builder, MAP_EDIT_MOVE, item);

	if (edit)
		edit->to = map_keep(builder, to);
}

void strew_builder_remove(strew_builder *builder, const char *item)
{
	add_edit(builder, MAP_EDIT_REMOVE, item);
}

/* An item that is there, or NULL after saying that it isn't. */
static struct map_draft *find_item(strew_builder *builder,
				   const struct map_edit_draft *edit, const char *name,
				   int32_t *id)
{
	struct map_draft *head = NULL;
	bool found;

	*id = 0;
	found = map_find_item(builder, name, id);
	if (found && *id < 0)
		head = &map_bucket_draft(builder, *id)->head;
	else if (found)
		head = &map_device_draft(builder, *id)->head;
	if (head && !head->gone)
		return head;
	map_fault(builder, edit->head.place,
		  "there is no device or bucket \"%.96s\" to edit%s", name,
		  map_hint_item(builder, name).text);
	return NULL;
}

static void mark_holder(const strew_builder *builder, const struct map_item_draft *item,
			uint32_t number)
{
	map_bucket_draft(builder, item->bucket)->edited = number;
}

static void reweight(strew_builder *builder, const struct map_edit_draft *edit,
		     uint32_t number)
{
	struct map_item_draft *items = builder->items.vec.items;
	int32_t id;

	if (!find_item(builder, edit, edit->item, &id))
		return;
	for (size_t i = 0; i < builder->items.vec.count; i++) {
		if (items[i].head.gone || items[i].item.id != id)
			continue;
		items[i].item.weight = edit->weight;
		items[i].edited = number;
		mark_holder(builder, &items[i], number);
	}
}

/* Take an item out of every bucket.
 * @return a draft that has the weight it had in the first one. */
static struct map_item_draft unhang(strew_builder *builder, int32_t id, uint32_t number)
{
	struct map_item_draft *items = builder->items.vec.items;
	struct map_item_draft first = {.item = {id, STREW_AUTO_WEIGHT}};
	bool hung = false;

	for (size_t i = 0; i < builder->items.vec.count; i++) {
		if (items[i].head.gone || items[i].item.id != id)
			continue;
		if (!hung &&
		    map_bucket_draft(builder, items[i].bucket)->class_index < 0) {
			first.item.weight = items[i].item.weight;
			first.edited = items[i].edited;
			hung = true;
		}
		items[i].head.gone = true;
		mark_holder(builder, &items[i], number);
	}
	return first;
}

/* Is it a bucket that can be moved, or moved into? Shadows follow what they shadow. */
static bool is_movable(strew_builder *builder, const struct map_edit_draft *edit,
		       int32_t id)
{
	const struct map_bucket_draft *bucket = map_bucket_draft(builder, id);

	if (bucket == NULL || bucket->bucket.shadow_of == 0)
		return true;
	map_fault(builder, edit->head.place,
		  "%s is the shadow of another bucket, which it follows; edit that one",
		  map_label(builder, id).text);
	return false;
}

static void move(strew_builder *builder, const struct map_edit_draft *edit,
		 uint32_t number)
{
	struct map_item_draft item, *added;
	int32_t id, to;

	if (!find_item(builder, edit, edit->item, &id) ||
	    !find_item(builder, edit, edit->to, &to) || !is_movable(builder, edit, id) ||
	    !is_movable(builder, edit, to))
		return;
	if (to >= 0) {
		map_fault(builder, edit->head.place,
			  "%s can't hold other items; move them into a bucket",
			  map_label(builder, to).text);
		return;
	}
	item = unhang(builder, id, number);
	item.head.place = edit->head.place;
	item.bucket = to;
	added = map_push(builder, &builder->items.vec, sizeof(*added));
	if (added == NULL)
		return;
	*added = item;
	mark_holder(builder, added, number);
	builder->reshaped = true;
}

static bool is_empty(const strew_builder *builder, int32_t bucket)
{
	const struct map_item_draft *items = builder->items.vec.items;

	for (size_t i = 0; i < builder->items.vec.count; i++)
		if (!items[i].head.gone && items[i].bucket == bucket)
			return false;
	return true;
}

static void remove_item(strew_builder *builder, const struct map_edit_draft *edit,
			uint32_t number)
{
	struct map_draft *head;
	int32_t id;

	head = find_item(builder, edit, edit->item, &id);
	if (head == NULL || !is_movable(builder, edit, id))
		return;
	if (id < 0 && !is_empty(builder, id)) {
		map_fault(builder, edit->head.place,
			  "%s still holds items; move or remove them first",
			  map_label(builder, id).text);
		return;
	}
	unhang(builder, id, number);
	head->gone = true;
	builder->reshaped = true;
}

/* Shadow trees are made anew after a change of shape, with the ids that they had. */
static void drop_shadows(strew_builder *builder)
{
	struct map_item_draft *items = builder->items.vec.items;

	for (size_t i = 0; i < builder->items.vec.count; i++) {
		const struct map_bucket_draft *bucket =
			map_bucket_draft(builder, items[i].bucket);

		if (bucket->bucket.shadow_of != 0)
			items[i].head.gone = true;
	}
	for (size_t i = 0; i < builder->shadows.vec.count; i++) {
		const struct map_shadow_draft *shadow = map_list_at(&builder->shadows, i);
		struct map_shadow_draft *pin =
			map_push(builder, &builder->pins.vec, sizeof(*pin));

		map_bucket_draft(builder, shadow->id)->head.gone = true;
		if (pin)
			*pin = *shadow;
	}
	builder->derives = builder->derives || builder->shadows.vec.count > 0;
	builder->shadows.vec.count = 0;
	map_list_sort(builder, &builder->pins);
}

void map_apply_edits(strew_builder *builder)
{
	const struct map_edit_draft *edits = builder->edits.items;

	map_list_compact(&builder->items);
	map_apply_weighs(builder);
	for (size_t i = 0; i < builder->edits.count && !builder->failed; i++) {
		uint32_t number = (uint32_t)i + 1 + MAP_WEIGHED;

		if (edits[i].kind == MAP_EDIT_REWEIGHT)
			reweight(builder, &edits[i], number);
		else if (edits[i].kind == MAP_EDIT_MOVE)
			move(builder, &edits[i], number);
		else
			remove_item(builder, &edits[i], number);
	}
	if (!builder->reshaped || builder->failed)
		return;
	drop_shadows(builder);
	map_list_compact(&builder->items);
	map_list_compact(&builder->buckets);
	map_list_compact(&builder->devices);
	map_settle_names(builder);
}
