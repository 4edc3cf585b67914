/* SPDX-License-Identifier: MIT */
/* Names that are not UTF-8, for formats that can't hold them. Each byte that is of no
 * character becomes "%FF", and so does each "%" of such a name, lest two become one. */
#include "format_names.h"
#include "format_write.h"

struct repair {
	struct map_renaming renaming;
	struct format_names good; /* that no other name may become */
	bool failed;
};

static void visit_profiles(struct repair *repair,
			   void (*visit)(struct repair *, const char **))
{
	strew_map *map = &repair->renaming.map;

	for (size_t i = 0; i < map->profile_count; i++) {
		struct map_profile *profile = &map->profiles[i];
		struct map_parameter *parameters =
			(struct map_parameter *)profile->parameters;

		visit(repair, &profile->name);
		for (size_t j = 0; j < profile->count; j++) {
			visit(repair, &parameters[j].key);
			visit(repair, &parameters[j].value);
		}
	}
	for (size_t i = 0; i < map->pool_count; i++)
		visit(repair, &map->pools[i].profile);
}

/* Shadows that are called after their base follow it. */
static void visit_items(struct repair *repair,
			void (*visit)(struct repair *, const char **))
{
	const strew_map *from = repair->renaming.from;
	strew_map *map = &repair->renaming.map;

	for (size_t i = 0; i < map->device_count; i++)
		visit(repair, &map->devices[i].name);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (!map_follows_base(from, &from->buckets[i]))
			visit(repair, &map->buckets[i].name);
}

static void visit_names(struct repair *repair,
			void (*visit)(struct repair *, const char **))
{
	strew_map *map = &repair->renaming.map;

	visit(repair, &map->name);
	for (size_t i = 0; i < map->type_count; i++)
		visit(repair, &map->types[i].name);
	for (size_t i = 0; i < map->class_count; i++)
		visit(repair, &map->classes[i].name);
	visit_items(repair, visit);
	for (size_t i = 0; i < map->rule_count; i++)
		visit(repair, &map->rules[i].name);
	for (size_t i = 0; i < map->weight_set_count; i++)
		visit(repair, &map->weight_sets[i].name);
	for (size_t i = 0; i < map->pool_count; i++)
		visit(repair, &map->pools[i].name);
	visit_profiles(repair, visit);
	for (size_t i = 0; i < map->stray_count; i++)
		if (map->strays[i].kind < MAP_STRAY_CLASS)
			visit(repair, &map->strays[i].name);
}

static void keep_good(struct repair *repair, const char **name)
{
	const strew_allocator *allocator = &repair->renaming.arena.allocator;

	if (format_is_utf8(*name))
		repair->failed |= !format_names_add(&repair->good, allocator, *name, 0);
}

static void add_repaired(struct base_str *text, const char *name)
{
	while (*name != '\0') {
		size_t len = format_utf8_len(name);

		if (len == 0 || *name == '%')
			base_str_addf(text, "%%%02X", (unsigned)(unsigned char)*name);
		else
			base_str_add_bytes(text, name, len);
		name += len ? len : 1;
	}
}

/* A "%" at the end is of no byte, so that two that need some differ all the same. */
static void repair_name(struct repair *repair, const char **name)
{
	struct base_str text;
	int32_t id = 0;

	if (format_is_utf8(*name))
		return;
	base_str_init(&text, &repair->renaming.arena.allocator);
	add_repaired(&text, *name);
	while (format_names_find(&repair->good, base_str_text(&text), &id))
		base_str_add(&text, "%");
	*name = map_rename(&repair->renaming, "%s", base_str_text(&text));
	repair->failed |= !base_str_ok(&text);
	base_str_free(&text);
}

static bool is_good(const strew_map *map)
{
	struct format_losses losses = {.output = &(struct format_output){.lossy = true}};

	format_lose_names(&losses, map);
	return losses.count == 0;
}

strew_status format_repair(strew_map **out, const strew_map *map, strew_error *error)
{
	struct repair repair = {.failed = false};

	if (is_good(map)) {
		*out = strew_map_retain(map);
		return STREW_OK;
	}
	map_rename_start(&repair.renaming, map);
	if (!repair.renaming.failed)
		visit_names(&repair, keep_good);
	format_names_sort(&repair.good);
	if (!repair.renaming.failed && !repair.failed)
		visit_names(&repair, repair_name);
	repair.renaming.failed |= repair.failed;
	format_names_free(&repair.good, &map->arena.allocator);
	return map_rename_end(out, &repair.renaming, error);
}
