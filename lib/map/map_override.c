/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

static struct map_override_draft *add_override(strew_builder *builder, strew_pg pg,
					       enum map_override_kind kind)
{
	struct map_override_draft *draft = map_list_add(builder, &builder->overrides);

	if (draft == NULL)
		return NULL;
	draft->pg = pg;
	draft->kind = kind;
	return draft;
}

static void add_devices(strew_builder *builder, strew_pg pg, enum map_override_kind kind,
			const int32_t *devices, size_t count)
{
	struct map_override_draft *draft = add_override(builder, pg, kind);

	if (draft == NULL)
		return;
	draft->devices = map_keep_array(builder, devices, count, sizeof(*devices));
	draft->count = count;
}

static void add_pair(strew_builder *builder, strew_pg pg, enum map_override_kind kind,
		     int32_t first, int32_t second)
{
	struct map_override_draft *draft = add_override(builder, pg, kind);

	if (draft == NULL)
		return;
	draft->pair[0] = first;
	draft->pair[1] = second;
}

void strew_builder_add_upmap(strew_builder *builder, strew_pg pg, const int32_t *devices,
			     size_t count)
{
	add_devices(builder, pg, MAP_UPMAP, devices, count);
}

void strew_builder_add_upmap_item(strew_builder *builder, strew_pg pg, int32_t from,
				  int32_t to)
{
	add_pair(builder, pg, MAP_UPMAP_ITEM, from, to);
}

void strew_builder_set_upmap_primary(strew_builder *builder, strew_pg pg, int32_t device)
{
	add_pair(builder, pg, MAP_UPMAP_PRIMARY, device, 0);
}

void strew_builder_add_pg_temp(strew_builder *builder, strew_pg pg,
			       const int32_t *devices, size_t count)
{
	add_devices(builder, pg, MAP_PG_TEMP, devices, count);
}

void strew_builder_set_primary_temp(strew_builder *builder, strew_pg pg, int32_t device)
{
	add_pair(builder, pg, MAP_PRIMARY_TEMP, device, 0);
}

void map_settle_overrides(strew_builder *builder)
{
	map_list_sort(builder, &builder->overrides);
}

static bool is_same_pg(const struct map_override_draft *a,
		       const struct map_override_draft *b)
{
	return a->pg.pool == b->pg.pool && a->pg.seed == b->pg.seed;
}

/* A negative device means that there is none, as clusters write it. */
static int32_t primary(const struct map_override_draft *draft)
{
	return draft->pair[0] < 0 ? STREW_NONE : draft->pair[0];
}

/* Of a fact that was told twice the last one stands. */
static void merge(struct map_override *override, const struct map_override_draft *draft,
		  int32_t *pairs)
{
	switch (draft->kind) {
	case MAP_UPMAP:
		override->upmap = draft->devices;
		override->upmap_count = draft->count;
		break;
	case MAP_UPMAP_ITEM:
		pairs[2 * override->upmap_item_count] = draft->pair[0];
		pairs[2 * override->upmap_item_count + 1] = draft->pair[1];
		override->upmap_items = pairs;
		override->upmap_item_count++;
		break;
	case MAP_UPMAP_PRIMARY:
		override->upmap_primary = primary(draft);
		break;
	case MAP_PG_TEMP:
		override->temp = draft->devices;
		override->temp_count = draft->count;
		break;
	case MAP_PRIMARY_TEMP:
		override->primary_temp = primary(draft);
		break;
	}
}

static size_t count_pairs(const struct map_override_draft *drafts, size_t count)
{
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++)
		pairs += drafts[i].kind == MAP_UPMAP_ITEM;
	return pairs;
}

static bool freeze_pg(struct map_override *override, strew_builder *builder,
		      const struct map_override_draft *drafts, size_t count)
{
	int32_t *pairs = base_arena_alloc(&builder->kept, count_pairs(drafts, count),
					  2 * sizeof(*pairs));

	if (pairs == NULL)
		return false;
	override->pg = drafts[0].pg;
	override->upmap_primary = STREW_NONE;
	override->primary_temp = STREW_NONE;
	for (size_t i = 0; i < count; i++)
		merge(override, &drafts[i], pairs);
	return true;
}

bool map_freeze_overrides(strew_map *map, strew_builder *builder)
{
	const struct map_override_draft *drafts = builder->overrides.vec.items;
	size_t count = builder->overrides.vec.count, end;

	for (size_t i = 0; i < count; i++)
		map->override_count += i == 0 || !is_same_pg(&drafts[i - 1], &drafts[i]);
	map->overrides = base_arena_alloc(&builder->kept, map->override_count,
					  sizeof(*map->overrides));
	if (map->overrides == NULL)
		return false;
	map->override_count = 0;
	for (size_t first = 0; first < count; first = end) {
		end = first + 1;
		while (end < count && is_same_pg(&drafts[first], &drafts[end]))
			end++;
		if (!freeze_pg(&map->overrides[map->override_count++], builder,
			       &drafts[first], end - first))
			return false;
	}
	return true;
}
