/* SPDX-License-Identifier: MIT */
/* Weights of devices that another file tells: however many there are, the items are
 * looked through once. */
#include "map_priv.h"

void map_weigh_device(strew_builder *builder, int32_t id, const char *name,
		      uint32_t weight)
{
	uint32_t place = map_here(builder);
	struct map_weigh_draft *draft =
		map_push(builder, &builder->weighs, sizeof(*draft));

	if (draft == NULL)
		return;
	draft->head.place = place;
	draft->id = id;
	draft->name = name ? map_keep(builder, name) : NULL;
	draft->weight = weight;
}

/* "12" */
static int64_t parse_id(const char *name)
{
	int64_t id = 0;

	for (; *name >= '0' && *name <= '9' && id <= STREW_DEVICE_ID_MAX; name++)
		id = id * 10 + (*name - '0');
	return *name == '\0' && id <= STREW_DEVICE_ID_MAX ? id : -1;
}

static void refuse(strew_builder *builder, const struct map_weigh_draft *draft,
		   bool is_bucket)
{
	if (draft->name == NULL)
		map_warn(builder, draft->head.place,
			 "the map has no device %d, whose weight is told here",
			 (int)draft->id);
	else if (is_bucket)
		map_fault(builder, draft->head.place,
			  "\"%.96s\" is a bucket, which weighs what it holds; tell what "
			  "its devices weigh",
			  draft->name);
	else
		map_fault(builder, draft->head.place, "the map has no device \"%.96s\"%s",
			  draft->name,
			  map_hint(builder, draft->name, &builder->item_names).text);
}

/* By its own name first, then by the one that its id would give it. */
static struct map_device_draft *find_device(strew_builder *builder,
					    const struct map_weigh_draft *draft)
{
	const struct map_name *found = NULL;
	struct map_device_draft *device = NULL;
	int64_t id = draft->id;

	if (draft->name) {
		found = map_names_find(&builder->item_names, draft->name);
		id = found ? found->id : map_default_id(draft->name);
		if (id < 0 && found == NULL)
			id = parse_id(draft->name);
	}
	if (id >= 0)
		device = map_device_draft(builder, (int32_t)id);
	if (device == NULL && !builder->refuses_all[MAP_DEVICES])
		refuse(builder, draft, found && found->id < 0);
	return device;
}

void map_apply_weighs(strew_builder *builder)
{
	const struct map_weigh_draft *drafts = builder->weighs.items;
	struct map_item_draft *items = builder->items.vec.items;

	for (size_t i = 0; i < builder->weighs.count; i++) {
		struct map_device_draft *device = find_device(builder, &drafts[i]);

		if (device == NULL)
			continue;
		device->is_weighed = true;
		device->weight = drafts[i].weight;
	}
	for (size_t i = 0; builder->weighs.count > 0 && i < builder->items.vec.count;
	     i++) {
		const struct map_device_draft *device =
			items[i].item.id < 0
				? NULL
				: map_device_draft(builder, items[i].item.id);

		if (device == NULL || !device->is_weighed ||
		    device->weight == items[i].item.weight)
			continue;
		items[i].item.weight = device->weight;
		map_bucket_draft(builder, items[i].bucket)->is_weighed = true;
	}
}
