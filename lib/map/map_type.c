/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

void strew_builder_add_type(strew_builder *builder, int32_t id, const char *name)
{
	struct map_type_draft *draft = map_list_add(builder, &builder->types);

	if (draft == NULL)
		return;
	draft->type.id = id;
	draft->type.name = map_keep(builder, name);
	draft->head.refused = !map_check_id(builder, draft->head.place, MAP_TYPES, id);
}

static void index_types(strew_builder *builder)
{
	builder->type_names.count = 0;
	for (size_t i = 0; i < builder->types.vec.count; i++) {
		const struct map_type_draft *draft = map_list_at(&builder->types, i);

		map_names_add(builder, &builder->type_names, draft->type.name,
			      draft->type.id, draft->head.place);
	}
	map_names_sort(&builder->type_names);
}

/* Devices are of type 0 whether it was named or not. */
void map_settle_types(strew_builder *builder)
{
	struct map_type_draft *draft;

	map_list_sort(builder, &builder->types);
	map_list_refuse_twins(&builder->types);
	index_types(builder);
	if (builder->failed || map_list_find(&builder->types, 0, 0) ||
	    map_names_find(&builder->type_names, "device"))
		return;
	draft = map_list_add(builder, &builder->types);
	if (draft == NULL)
		return;
	draft->type.name = "device";
	map_set_unnamed(builder, MAP_TYPES, 0);
	map_list_sort(builder, &builder->types);
	index_types(builder);
}

bool map_freeze_types(strew_map *map, strew_builder *builder)
{
	size_t types = builder->types.vec.count, classes = builder->classes.count;
	const struct map_class_draft *drafts = builder->classes.items;

	map->types = base_arena_alloc(&builder->kept, types, sizeof(*map->types));
	map->classes = base_arena_alloc(&builder->kept, classes, sizeof(*map->classes));
	if (map->types == NULL || map->classes == NULL)
		return false;
	map->type_count = types;
	for (size_t i = 0; i < types; i++)
		map->types[i] =
			((const struct map_type_draft *)map_list_at(&builder->types, i))
				->type;
	map->class_count = classes;
	for (size_t i = 0; i < classes; i++)
		map->classes[i] = drafts[i].class;
	return true;
}
