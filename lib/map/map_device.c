/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map_priv.h"

#define DEFAULT_PREFIX "osd."

/* Not by printf(), which would take as long as all else that is done for a device. */
static const char *default_name(strew_builder *builder, int32_t id)
{
	char name[sizeof(DEFAULT_PREFIX) + 11], *at = name + sizeof(name) - 1;
	uint32_t left = id < 0 ? 0 - (uint32_t)id : (uint32_t)id;

	*at = '\0';
	do
		*--at = (char)('0' + left % 10);
	while (left /= 10);
	if (id < 0)
		*--at = '-';
	at -= strlen(DEFAULT_PREFIX);
	memcpy(at, DEFAULT_PREFIX, strlen(DEFAULT_PREFIX));
	return map_keep(builder, at);
}

int64_t map_default_id(const char *name)
{
	const char *digits;
	int64_t id = 0;

	if (strncmp(name, DEFAULT_PREFIX, strlen(DEFAULT_PREFIX)) != 0)
		return -1;
	digits = name + strlen(DEFAULT_PREFIX);
	if (digits[0] == '\0' || (digits[0] == '0' && digits[1] != '\0'))
		return -1;
	for (; *digits >= '0' && *digits <= '9' && id <= STREW_DEVICE_ID_MAX; digits++)
		id = id * 10 + (*digits - '0');
	return *digits == '\0' && id <= STREW_DEVICE_ID_MAX ? id : -1;
}

static struct map_device_draft *add_device(strew_builder *builder, int32_t id,
					   const char *name)
{
	struct map_device_draft *draft = map_list_add(builder, &builder->devices);

	if (draft == NULL)
		return NULL;
	draft->class_index = -1;
	draft->device.id = id;
	draft->device.name = name ? map_keep(builder, name) : default_name(builder, id);
	return draft;
}

void strew_builder_add_device(strew_builder *builder, int32_t id, const char *name,
			      const char *class_name)
{
	struct map_device_draft *draft = add_device(builder, id, name);

	if (draft == NULL)
		return;
	draft->head.refused = !map_check_id(builder, draft->head.place, MAP_DEVICES, id);
	if (class_name && class_name[0] != '\0')
		draft->device.class_name = map_add_class(builder, class_name);
}

static struct map_fact_draft *add_fact(strew_builder *builder, int32_t device,
				       enum map_fact_kind kind)
{
	struct map_fact_draft *draft;

	if (!map_check_id(builder, map_here(builder), MAP_DEVICES, device))
		return NULL;
	draft = map_list_add(builder, &builder->facts);
	if (draft == NULL)
		return NULL;
	draft->device = device;
	draft->kind = kind;
	draft->epoch = builder->limit_epoch;
	return draft;
}

void strew_builder_set_reweight(strew_builder *builder, int32_t device, uint32_t reweight)
{
	struct map_fact_draft *draft = add_fact(builder, device, MAP_REWEIGHT);

	if (draft)
		draft->share = reweight;
}

void strew_builder_set_state(strew_builder *builder, int32_t device, int exists, int up)
{
	struct map_fact_draft *draft = add_fact(builder, device, MAP_STATE);

	if (draft == NULL)
		return;
	draft->exists = exists != 0;
	draft->up = exists != 0 && up != 0;
}

void strew_builder_set_primary_affinity(strew_builder *builder, int32_t device,
					uint32_t affinity)
{
	struct map_fact_draft *draft = add_fact(builder, device, MAP_AFFINITY);

	if (draft)
		draft->share = affinity;
}

void strew_builder_set_capacity(strew_builder *builder, int32_t device,
				uint64_t size_bytes, uint64_t used_bytes)
{
	struct map_fact_draft *draft = add_fact(builder, device, MAP_CAPACITY);

	if (draft == NULL)
		return;
	draft->size_bytes = size_bytes;
	draft->used_bytes = used_bytes;
}

void map_classify_device(strew_builder *builder, int32_t device, const char *class_name)
{
	struct map_fact_draft *draft = add_fact(builder, device, MAP_CLASS);

	if (draft)
		draft->class_name = map_add_class(builder, class_name);
}

void map_set_limit(strew_builder *builder, int32_t limit)
{
	builder->has_limit = true;
	builder->device_limit = limit;
}

void strew_builder_set_device_limit(strew_builder *builder, int32_t limit)
{
	if (limit < 0 || limit > STREW_DEVICE_ID_MAX + 1) {
		map_fault(builder, map_here(builder),
			  "the limit of device ids is %d; it must be from 0 to %d",
			  (int)limit, STREW_DEVICE_ID_MAX + 1);
		return;
	}
	builder->limit_epoch++;
	builder->limit_place = map_here(builder);
	map_set_limit(builder, limit);
}

/* Ids mostly have no gaps. */
struct map_device_draft *map_device_draft(const strew_builder *builder, int32_t id)
{
	struct map_device_draft *drafts = builder->devices.vec.items;
	int64_t guess = drafts ? (int64_t)id - drafts[0].device.id : -1;

	if (guess >= 0 && guess < (int64_t)builder->devices.vec.count &&
	    drafts[guess].device.id == id &&
	    (guess == 0 || drafts[guess - 1].device.id != id))
		return &drafts[guess];
	return map_list_find(&builder->devices, id, 0);
}

/* A cluster may know devices that its tree doesn't have.
 * Facts are in order of device here. */
static void add_unplaced(strew_builder *builder)
{
	struct map_list found = builder->devices; /* not grown while it is searched */
	int64_t last = -1;

	for (size_t i = 0; i < builder->facts.vec.count && !builder->failed; i++) {
		const struct map_fact_draft *fact = map_list_at(&builder->facts, i);
		struct map_device_draft *draft;

		found.vec.items = builder->devices.vec.items;
		if (fact->device == last || map_list_find(&found, fact->device, 0))
			continue;
		last = fact->device;
		draft = add_device(builder, fact->device, NULL);
		if (draft)
			draft->head.place = fact->head.place;
	}
	map_list_sort(builder, &builder->devices);
}

static void apply_fact(const strew_builder *builder, strew_device *device,
		       const struct map_fact_draft *fact)
{
	bool is_void = fact->epoch < builder->limit_epoch;

	if (fact->kind == MAP_REWEIGHT && !is_void) {
		device->reweight = fact->share;
	} else if (fact->kind == MAP_STATE && !is_void) {
		device->exists = fact->exists;
		device->up = fact->up;
	} else if (fact->kind == MAP_AFFINITY) {
		device->primary_affinity = fact->share;
	} else if (fact->kind == MAP_CAPACITY) {
		device->size_bytes = fact->size_bytes;
		device->used_bytes = fact->used_bytes;
	}
}

static void classify(strew_builder *builder, struct map_device_draft *draft,
		     const struct map_fact_draft *fact)
{
	if (draft->device.class_name == NULL) {
		draft->device.class_name = fact->class_name;
		draft->class_index = map_class_index(builder, draft->device.class_name);
	} else if (strcmp(draft->device.class_name, fact->class_name) != 0) {
		map_warn(builder, fact->head.place,
			 "%s is of the class %.64s here, and of the class %.64s in the "
			 "map, which stands",
			 map_label(builder, fact->device).text, fact->class_name,
			 draft->device.class_name);
	}
}

static void settle_device(const strew_builder *builder, struct map_device_draft *draft,
			  const struct map_device_draft *before)
{
	bool is_new = builder->limit_epoch == 0;

	if (before && before->device.class_name == draft->device.class_name)
		draft->class_index = before->class_index;
	else
		draft->class_index = map_class_index(builder, draft->device.class_name);
	draft->device.exists = draft->device.up = is_new;
	draft->device.reweight = is_new ? STREW_WEIGHT_ONE : 0;
	draft->device.primary_affinity = STREW_WEIGHT_ONE;
}

void map_settle_devices(strew_builder *builder)
{
	struct map_device_draft *drafts;

	map_list_sort(builder, &builder->devices);
	map_list_sort(builder, &builder->facts);
	add_unplaced(builder);
	if (builder->failed)
		return;
	map_list_refuse_twins(&builder->devices);
	drafts = builder->devices.vec.items;
	for (size_t i = 0; i < builder->devices.vec.count; i++)
		settle_device(builder, &drafts[i], i ? &drafts[i - 1] : NULL);
	for (size_t i = 0; i < builder->facts.vec.count; i++) {
		const struct map_fact_draft *fact = map_list_at(&builder->facts, i);

		struct map_device_draft *draft = map_device_draft(builder, fact->device);

		if (fact->kind == MAP_CLASS)
			classify(builder, draft, fact);
		else
			apply_fact(builder, &draft->device, fact);
	}
}

bool map_freeze_devices(strew_map *map, strew_builder *builder)
{
	size_t count = builder->devices.vec.count;

	map->devices = base_arena_alloc(&builder->kept, count, sizeof(*map->devices));
	if (map->devices == NULL)
		return false;
	map->device_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct map_device_draft *draft = map_list_at(&builder->devices, i);

		map->devices[i] = draft->device;
		map->devices[i].class_name = map_class_name(builder, draft->class_index);
	}
	if (builder->has_limit)
		map->device_limit = builder->device_limit;
	else if (count > 0)
		map->device_limit = map->devices[count - 1].id + 1;
	return true;
}
