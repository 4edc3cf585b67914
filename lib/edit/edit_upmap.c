/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

static struct map_override *find(const strew_edit *edit, strew_pg pg)
{
	size_t at = map_override_place(&edit->map, pg);
	struct map_override *found;

	if (at == edit->map.override_count)
		return NULL;
	found = &edit->map.overrides[at];
	return found->pg.pool == pg.pool && found->pg.seed == pg.seed ? found : NULL;
}

static struct map_override *find_or_add(strew_edit *edit, strew_pg pg)
{
	struct map_override *override = find(edit, pg);

	if (override)
		return override;
	override = edit_insert(edit, &edit->overrides, sizeof(*override),
			       map_override_place(&edit->map, pg));
	if (override == NULL)
		return NULL;
	override->pg = pg;
	override->upmap_primary = override->primary_temp = STREW_NONE;
	return override;
}

void edit_tidy_override(strew_edit *edit, size_t index)
{
	const struct map_override *override = &edit->map.overrides[index];

	if (override->upmap == NULL && override->upmap_item_count == 0 &&
	    override->upmap_primary == STREW_NONE && override->temp == NULL &&
	    override->primary_temp == STREW_NONE)
		edit_erase(edit, &edit->overrides, sizeof(*override), index);
}

static strew_status check_pair(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *from = &call->args[1], *to = &call->args[2];
	const struct map_override *override = find(edit, call->args[0].pg);
	size_t count = override ? override->upmap_item_count : 0;

	if (from->id == to->id)
		return edit_refuse(call, STREW_EMAP, to,
				   "a device is mapped to another one, not to itself");
	for (size_t i = 0; i < count; i++) {
		if (override->upmap_items[2 * i] == from->id)
			return edit_refuse(
				call, STREW_EMAP, from,
				"%s is mapped already, to %s; \"remove "
				"upmap\" takes that away",
				edit_label(edit, call, from->id),
				edit_label(edit, call, override->upmap_items[2 * i + 1]));
		if (override->upmap_items[2 * i + 1] == to->id)
			return edit_refuse(
				call, STREW_EMAP, to, "%s is mapped to already, from %s",
				edit_label(edit, call, to->id),
				edit_label(edit, call, override->upmap_items[2 * i]));
	}
	return STREW_OK;
}

static strew_status add_pair(strew_edit *edit, struct edit_call *call)
{
	strew_status status = check_pair(edit, call);
	struct map_override *override;
	int32_t *pairs;
	size_t count;

	if (status != STREW_OK)
		return status;
	override = find_or_add(edit, call->args[0].pg);
	if (override == NULL)
		return STREW_ENOMEM;
	count = override->upmap_item_count;
	pairs = edit_alloc(edit, count + 1, 2 * sizeof(*pairs));
	if (pairs == NULL)
		return STREW_ENOMEM;
	if (count > 0)
		memcpy(pairs, override->upmap_items, count * 2 * sizeof(*pairs));
	pairs[2 * count] = call->args[1].id;
	pairs[2 * count + 1] = call->args[2].id;
	override->upmap_items = pairs;
	override->upmap_item_count = count + 1;
	return STREW_OK;
}

static strew_status check_set(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[1];
	const strew_pool *pool = strew_map_pool_by_id(&edit->map, call->args[0].pg.pool);

	if (devices->id_count > (size_t)pool->size)
		return edit_refuse(call, STREW_EMAP, devices,
				   "%zu devices are given; the pool's size is %d",
				   devices->id_count, pool->size);
	for (size_t i = 0; i < devices->id_count; i++)
		for (size_t j = 0; j < i; j++)
			if (devices->ids[i] == devices->ids[j])
				return edit_refuse(
					call, STREW_EMAP, devices, "%s is given twice",
					edit_label(edit, call, devices->ids[i]));
	return STREW_OK;
}

static strew_status set_devices(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[1];
	strew_status status = check_set(edit, call);
	struct map_override *override;
	int32_t *ids;

	if (status != STREW_OK)
		return status;
	override = find_or_add(edit, call->args[0].pg);
	ids = edit_alloc(edit, devices->id_count, sizeof(*ids));
	if (override == NULL || ids == NULL)
		return STREW_ENOMEM;
	memcpy(ids, devices->ids, devices->id_count * sizeof(*ids));
	override->upmap = ids;
	override->upmap_count = devices->id_count;
	return STREW_OK;
}

static strew_status refuse_pg(struct edit_call *call, const char *what)
{
	return edit_refuse(call, STREW_ENOTFOUND, &call->args[0], "PG %.64s has no %s",
			   call->args[0].text, what);
}

static strew_status remove_upmap(strew_edit *edit, struct edit_call *call)
{
	struct map_override *override = find(edit, call->args[0].pg);

	if (override == NULL ||
	    (override->upmap == NULL && override->upmap_item_count == 0))
		return refuse_pg(call, "upmap");
	override->upmap = NULL;
	override->upmap_count = 0;
	override->upmap_items = NULL;
	override->upmap_item_count = 0;
	edit_tidy_override(edit, (size_t)(override - edit->map.overrides));
	return STREW_OK;
}

static strew_status set_primary(strew_edit *edit, struct edit_call *call)
{
	struct map_override *override = find_or_add(edit, call->args[0].pg);

	if (override)
		override->upmap_primary = call->args[1].id;
	return STREW_OK;
}

static strew_status remove_primary(strew_edit *edit, struct edit_call *call)
{
	struct map_override *override = find(edit, call->args[0].pg);

	if (override == NULL || override->upmap_primary == STREW_NONE)
		return refuse_pg(call, "primary of its own");
	override->upmap_primary = STREW_NONE;
	edit_tidy_override(edit, (size_t)(override - edit->map.overrides));
	return STREW_OK;
}

const struct edit_op edit_upmap_ops[] = {
	{"add upmap PG DEVICE to DEVICE",
	 "have a PG use one device in place of another (pg_upmap_items)", add_pair},
	{"set upmap PG DEVICES", "a PG's whole set, such as 3,17,21 (pg_upmap)",
	 set_devices},
	{"remove upmap PG", "drop both kinds of upmap of a PG", remove_upmap},
	{"set primary PG DEVICE", "a PG's primary (pg_upmap_primaries)", set_primary},
	{"remove primary PG", "drop it", remove_primary},
	{NULL, NULL, NULL},
};
