/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <inttypes.h>
#include <string.h>

const char *analyze_item_name(const strew_map *map, int32_t id)
{
	if (id < 0) {
		const strew_bucket *bucket = strew_map_bucket_by_id(map, id);

		return bucket ? bucket->name : "?";
	}
	return strew_map_device_by_id(map, id) ? strew_map_device_by_id(map, id)->name
					       : "?";
}

const char *analyze_kind_name(strew_kind kind)
{
	switch (kind) {
	case STREW_KIND_REPLICATED:
		return "replicated";
	case STREW_KIND_ERASURE:
		return "erasure";
	case STREW_KIND_MSR_FIRSTN:
		return "msr_firstn";
	case STREW_KIND_MSR_INDEP:
		return "msr_indep";
	}
	return "?";
}

void analyze_add_step(struct base_str *text, const strew_map *map,
		      const struct map_step *step)
{
	const char *type = strew_map_type_name(map, step->arg2);
	const char *op = map_op_name((int)step->op);

	if (op)
		base_str_add(text, op);
	else
		base_str_addf(text, "op %" PRIu32, (uint32_t)step->op);
	if (step->op == STREW_OP_TAKE)
		base_str_addf(text, " %s", analyze_item_name(map, step->arg1));
	else if (map_op_chooses((int)step->op))
		base_str_addf(text, " %" PRId32 " type %s", step->arg1,
			      type ? type : "?");
	else if (step->op != STREW_OP_EMIT && step->op != STREW_OP_NOOP)
		base_str_addf(text, " %" PRId32, step->arg1);
	if (op == NULL)
		base_str_addf(text, " %" PRId32, step->arg2);
}

void analyze_add_steps(struct base_str *text, const strew_map *map,
		       const struct map_rule *rule)
{
	for (size_t i = 0; i < rule->step_count; i++) {
		base_str_add(text, i > 0 ? ", " : "");
		analyze_add_step(text, map, &rule->steps[i]);
	}
}

void analyze_add_count(struct base_str *text, size_t count, const char *noun)
{
	size_t len = strlen(noun);
	bool has_plural = len > 0 && noun[len - 1] == 's';

	base_str_addf(text, "%zu %s%s", count, noun, count == 1 || has_plural ? "" : "s");
}

size_t analyze_type_place(const strew_map *map, int32_t type)
{
	size_t low = 0, high = map->type_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->types[middle].id < type)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool analyze_add_types(struct base_str *text, const strew_map *map, const size_t *by_type,
		       const char *before)
{
	bool any = false;

	for (size_t i = map->type_count; i-- > 0;) {
		if (by_type[i] == 0)
			continue;
		base_str_add(text, any ? ", " : before);
		analyze_add_count(text, by_type[i],
				  map->types[i].id == 0 ? "device" : map->types[i].name);
		any = true;
	}
	return any;
}

/* The buckets above a device, without the root. */
static void add_location(struct base_str *text, const struct analyze_tree *tree,
			 int64_t device)
{
	const struct analyze_spot *spots = tree->bucket_spots;
	const char *names[16];
	uint32_t bucket = tree->device_spots[device].bucket;
	size_t depth = 0;

	while (bucket != ANALYZE_NOWHERE && spots[bucket].bucket != ANALYZE_NOWHERE &&
	       depth < sizeof(names) / sizeof(names[0])) {
		names[depth++] = tree->map->buckets[bucket].name;
		bucket = spots[bucket].bucket;
	}
	if (depth == 0)
		return;
	for (size_t i = depth; i > 0; i--)
		base_str_addf(text, "%s%s", i == depth ? " (" : "/", names[i - 1]);
	base_str_add(text, ")");
}

void analyze_add_device(struct base_str *text, const struct analyze_tree *tree,
			int32_t id)
{
	int64_t index = id == STREW_NONE ? -1 : map_device_index(tree->map, id);

	base_str_add(text, index < 0 ? "NONE" : tree->map->devices[index].name);
	if (index >= 0)
		add_location(text, tree, index);
}
