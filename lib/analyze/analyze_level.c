/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <string.h>

#include "base_error.h"
#include "base_str.h"

#define NAMES_MAX 20

int32_t analyze_failure_type(const struct map_rule *rule)
{
	int32_t type = 0;

	for (size_t i = 0; i < rule->step_count; i++) {
		const struct map_step *step = &rule->steps[i];

		if (step->op == STREW_OP_EMIT && type > 0)
			break;
		if (map_op_chooses((int)step->op) && step->arg2 > 0)
			type = step->arg2;
	}
	return type;
}

const char *analyze_failure_domain(const strew_map *map, int32_t rule)
{
	int32_t type = analyze_failure_type(map_rule_by_id(map, rule));
	const char *name = strew_map_type_name(map, type);

	return name ? name : ANALYZE_DEVICE_TYPE;
}

int32_t analyze_find_type(const strew_map *map, const char *name)
{
	int32_t type = strew_map_find_type(map, name);

	return type < 0 && strcmp(name, ANALYZE_DEVICE_TYPE) == 0 ? 0 : type;
}

/* No spot is in a shadow. */
uint32_t analyze_bucket_above(const struct analyze_tree *tree, size_t device,
			      int32_t type)
{
	uint32_t bucket = tree->device_spots[device].bucket;

	while (bucket != ANALYZE_NOWHERE && tree->map->buckets[bucket].type != type)
		bucket = tree->bucket_spots[bucket].bucket;
	return bucket;
}

strew_status analyze_refuse_type(const strew_map *map, const char *name,
				 const strew_allocator *allocator, strew_error *error)
{
	struct base_str known;
	strew_status status;

	base_str_init(&known, allocator);
	for (size_t i = 0; i < map->type_count && i < NAMES_MAX; i++)
		base_str_addf(&known, "%s %s", i > 0 ? "," : "", map->types[i].name);
	if (map->type_count > NAMES_MAX)
		base_str_addf(&known, " and %zu more", map->type_count - NAMES_MAX);
	status = base_error_set(error, STREW_ENOTFOUND,
				"there is no type \"%s\"; the map has%s", name,
				base_str_text(&known));
	base_str_free(&known);
	return status;
}
