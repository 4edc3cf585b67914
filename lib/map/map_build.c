/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map_priv.h"

strew_status strew_builder_new(strew_builder **out, const strew_allocator *allocator)
{
	strew_builder *builder;

	allocator = base_allocator_or_heap(allocator);
	*out = builder = base_calloc(allocator, 1, sizeof(*builder));
	if (builder == NULL)
		return STREW_ENOMEM;
	builder->allocator = *allocator;
	base_arena_init(&builder->kept, allocator);
	base_arena_init(&builder->scratch, allocator);
	map_lists_init(builder);
	map_start_tunables(&builder->tunables);
	builder->name = "";
	builder->next_id = -1;
	return STREW_OK;
}

static void free_lists(strew_builder *builder)
{
	struct base_vec *const vecs[] = {
		&builder->places,      &builder->faults,        &builder->warnings,
		&builder->types.vec,   &builder->classes,       &builder->devices.vec,
		&builder->facts.vec,   &builder->buckets.vec,   &builder->items.vec,
		&builder->pins.vec,    &builder->shadows.vec,   &builder->provisional,
		&builder->taken,       &builder->weighs,        &builder->rules.vec,
		&builder->steps,       &builder->sets.vec,      &builder->rows.vec,
		&builder->pools.vec,   &builder->overrides.vec, &builder->type_names,
		&builder->class_names, &builder->item_names,    &builder->rule_names,
		&builder->tables,      &builder->remarks,       &builder->strays,
		&builder->unnamed,     &builder->profiles,      &builder->uses.vec,
	};

	for (size_t i = 0; i < sizeof(vecs) / sizeof(vecs[0]); i++)
		base_vec_free(vecs[i], &builder->allocator);
}

void strew_builder_free(strew_builder *builder)
{
	strew_allocator allocator;

	if (builder == NULL)
		return;
	allocator = builder->allocator;
	free_lists(builder);
	base_free(&allocator, builder->order, builder->order_bytes);
	base_arena_free(&builder->kept);
	base_arena_free(&builder->scratch);
	strew_map_release(builder->source);
	base_free(&allocator, builder, sizeof(*builder));
}

/* One that has run out of memory has lost what it was given. */
bool map_builder_is_empty(const strew_builder *builder)
{
	return !builder->failed && builder->types.vec.count == 0 &&
	       builder->devices.vec.count == 0 && builder->buckets.vec.count == 0;
}

const void *map_keep_array(strew_builder *builder, const void *from, size_t count,
			   size_t size)
{
	const void *copy = NULL;

	if (!builder->failed)
		copy = base_arena_copy(&builder->kept, from, count, size);
	if (copy == NULL)
		builder->failed = true;
	return copy;
}

const char *map_keep(strew_builder *builder, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return "";
	return map_keep_array(builder, text, strlen(text) + 1, 1);
}

const char *map_keep_word(strew_builder *builder, const char *text)
{
	const size_t room = sizeof(builder->words) / sizeof(builder->words[0]);
	const char *word;

	for (size_t i = 0; i < room; i++)
		if (builder->words[i] && strcmp(builder->words[i], text) == 0)
			return builder->words[i];
	word = map_keep(builder, text);
	if (word)
		builder->words[builder->next_word++ % room] = word;
	return word;
}

void strew_builder_set_name(strew_builder *builder, const char *name)
{
	builder->name = map_keep(builder, name);
}

void strew_builder_set_epoch(strew_builder *builder, int64_t epoch)
{
	builder->epoch = epoch;
}

void map_set_ratio(strew_builder *builder, enum map_ratio ratio, uint32_t share)
{
	if (share > 0)
		builder->ratios[ratio] = share;
}

static bool freeze_warnings(strew_map *map, strew_builder *builder)
{
	map->warning_count = builder->warnings.count;
	map->warnings = base_arena_copy(&builder->kept, builder->warnings.items,
					builder->warnings.count, sizeof(*map->warnings));
	return map->warnings != NULL;
}

/* The map takes over the arena of what is kept, names and all. */
static strew_map *freeze(strew_builder *builder)
{
	strew_map *map = base_arena_alloc(&builder->kept, 1, sizeof(*map));

	if (map == NULL || !map_freeze_types(map, builder) ||
	    !map_freeze_devices(map, builder) || !map_freeze_buckets(map, builder) ||
	    !map_freeze_rules(map, builder) || !map_freeze_weight_sets(map, builder) ||
	    !map_freeze_profiles(map, builder) || !map_freeze_pools(map, builder) ||
	    !map_freeze_uses(map, builder) || !map_freeze_overrides(map, builder) ||
	    !map_freeze_remarks(map, builder) || !freeze_warnings(map, builder))
		return NULL;
	map->name = builder->name;
	map->epoch = builder->epoch;
	memcpy(map->ratios, builder->ratios, sizeof(map->ratios));
	map->tunables = builder->tunables;
	if (!map_freeze_stored(map, builder))
		return NULL;
	base_ref_init(&map->refs);
	map->arena = builder->kept;
	base_arena_init(&builder->kept, &builder->allocator);
	return map;
}

/* Each step counts on those before it. */
static void (*const steps[])(strew_builder *) = {
	map_settle_types,     map_settle_classes, map_settle_strays,
	map_settle_devices,   map_settle_buckets, map_settle_names,
	map_settle_shadows,   map_settle_items,   map_apply_weighs,
	map_group_items,      map_order_buckets,  map_sum_weights,
	map_derive_shadows,   map_settle_rules,   map_settle_profiles,
	map_settle_pools,     map_settle_uses,    map_settle_weight_sets,
	map_settle_overrides, map_check,
};

strew_status strew_builder_build(strew_map **out, strew_builder *builder,
				 strew_error *error)
{
	const strew_error *first;

	*out = NULL;
	if (builder->built)
		return base_error_set(error, STREW_EINVAL,
				      "the builder has built its map already");
	builder->built = true;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && !builder->failed; i++)
		steps[i](builder);
	first = strew_builder_fault_at(builder, 0);
	if (!builder->failed && first) {
		if (error)
			*error = *first;
		return first->status;
	}
	if (!builder->failed)
		*out = freeze(builder);
	return *out ? STREW_OK : base_error_nomem(error);
}
