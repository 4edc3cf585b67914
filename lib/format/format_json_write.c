/* SPDX-License-Identifier: MIT */
/* Writes a strew-map as a person would have written it: nothing that is so anyway. */
#include "format_json_write.h"

#include <string.h>

#include "base_alloc.h"
#include "base_error.h"

static void write_name(struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (map->name[0] != '\0') {
		format_json_top_member(out, "name");
		format_json_put_string(out, map->name);
	}
	if (map->epoch <= 0)
		return;
	/* Beside the name, if there is one. */
	if (map->name[0] != '\0')
		format_json_member(out, "epoch");
	else
		format_json_top_member(out, "epoch");
	format_json_put_integer(out, map->epoch);
}

/* In one line. */
static void write_ratios(struct format_json_out *out)
{
	static const char *const names[MAP_RATIOS] = {"full_ratio", "backfillfull_ratio",
						      "nearfull_ratio"};
	bool starts = true;

	for (enum map_ratio i = 0; i < MAP_RATIOS; i++) {
		if (out->map->ratios[i] == 0)
			continue;
		if (starts)
			format_json_top_member(out, names[i]);
		else
			format_json_member(out, names[i]);
		format_add_share(&out->to.text, out->map->ratios[i]);
		starts = false;
	}
}

static void write_remarks(struct format_json_out *out)
{
	size_t count = 0;
	const struct map_remark *remarks =
		map_remarks(out->map, MAP_OF_MAP, 0, 0, &count);

	for (size_t i = 0; i < count; i++) {
		format_json_top_member(out, remarks[i].name);
		format_json_put(out, remarks[i].text);
	}
}

/* A type or a class: by its name alone where its number is the one after the one before
 * it. */
static void write_level(struct format_json_out *out, enum map_owner owner, int32_t id,
			const char *name, int64_t *next)
{
	size_t remarks = 0;

	map_remarks(out->map, owner, id, 0, &remarks);
	if (id == *next && remarks == 0) {
		format_json_put_string(out, name);
	} else {
		format_json_put(out, "{ ");
		out->starts = true;
		format_json_integer_member(out, "id", id);
		format_json_string_member(out, "name", name);
		format_json_remark_members(out, owner, id, 0);
		format_json_put(out, " }");
	}
	*next = (int64_t)id + 1;
}

/* The type of devices needs none where it has no name. */
static void write_types(struct format_json_out *out)
{
	const strew_map *map = out->map;
	size_t first = map->type_count && map->types[0].id == 0 && map->types[0].unnamed;
	int64_t next = 0;

	format_json_top_member(out, "types");
	format_json_put(out, "[");
	for (size_t i = first; i < map->type_count; i++) {
		format_json_put(out, i > first ? ", " : "");
		write_level(out, MAP_OF_TYPE, map->types[i].id, map->types[i].name,
			    &next);
	}
	format_json_put(out, "]");
}

static void write_tunables(struct format_json_out *out)
{
	const struct map_tunables *tunables = &out->map->tunables;
	struct map_tunables profile;
	const char *name = map_nearest_profile(tunables, &profile);
	size_t remarks = 0;
	uint32_t ours, theirs;
	const char *tunable;

	map_remarks(out->map, MAP_OF_TUNABLES, 0, 0, &remarks);
	format_json_top_member(out, "tunables");
	if (remarks == 0 && memcmp(tunables, &profile, sizeof(profile)) == 0) {
		format_json_put_string(out, name);
		return;
	}
	format_json_put(out, "{ ");
	out->starts = true;
	format_json_string_member(out, "profile", name);
	for (size_t i = 0; (tunable = map_tunable(tunables, i, &ours)); i++) {
		map_tunable(&profile, i, &theirs);
		if (ours != theirs)
			format_json_integer_member(out, tunable, ours);
	}
	format_json_remark_members(out, MAP_OF_TUNABLES, 0, 0);
	format_json_put(out, " }");
}

/* The length of the device vector goes without saying when it ends with the devices. */
static void write_device_limit(struct format_json_out *out)
{
	const strew_map *map = out->map;
	size_t count = map->device_count;
	int32_t follows = count ? map->devices[count - 1].id + 1 : 0;

	if (map->device_limit == follows)
		return;
	format_json_top_member(out, "device_limit");
	format_json_put_integer(out, map->device_limit);
}

void format_json_name_class(struct format_json_out *out, const char *class_name)
{
	int32_t index = 0;

	if (class_name == NULL || !format_names_find(&out->classes, class_name, &index))
		return;
	if (index == out->next_class)
		out->next_class++;
	else if (index > out->next_class)
		out->classes_out_of_order = true;
}

/* Does a reader find the same classes, with the same ids, where they are named? */
static bool are_classes_told(const struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (out->classes_out_of_order || (size_t)out->next_class != map->class_count)
		return false;
	for (size_t i = 0; i < map->class_count; i++) {
		size_t remarks = 0;

		map_remarks(map, MAP_OF_CLASS, map->classes[i].id, 0, &remarks);
		if (map->classes[i].id != (int32_t)i || remarks > 0)
			return false;
	}
	return true;
}

/* After all that names a class. */
static void write_classes(struct format_json_out *out)
{
	const strew_map *map = out->map;
	int64_t next = 0;

	if (are_classes_told(out))
		return;
	format_json_top_member(out, "classes");
	format_json_put(out, "[");
	for (size_t i = 0; i < map->class_count; i++) {
		format_json_put(out, i ? ", " : "");
		write_level(out, MAP_OF_CLASS, map->classes[i].id, map->classes[i].name,
			    &next);
	}
	format_json_put(out, "]");
}

static void write_document(struct format_json_out *out)
{
	format_json_put(out, "{");
	out->starts = true;
	format_json_top_member(out, "format");
	format_json_put_string(out, "strew-map/1");
	write_name(out);
	write_ratios(out);
	write_remarks(out);
	write_types(out);
	write_tunables(out);
	write_device_limit(out);
	format_json_write_tree(out);
	format_json_write_class_buckets(out);
	write_classes(out);
	format_json_write_rules(out);
	format_json_write_weight_sets(out);
	format_json_write_profiles(out);
	format_json_write_pools(out);
	format_json_write_uses(out);
	format_json_write_overrides(out);
	format_json_write_stored(out);
	format_json_put(out, "\n}\n");
}

static uint32_t sum_items(const strew_bucket *bucket)
{
	uint64_t sum = map_item_sum(bucket);

	return sum <= UINT32_MAX ? (uint32_t)sum : 0;
}

uint32_t format_json_sum(const struct format_json_out *out, const strew_bucket *bucket)
{
	return out->sums[bucket - out->map->buckets];
}

static bool prepare(struct format_json_out *out)
{
	const strew_map *map = out->map;
	const strew_allocator *allocator = out->to.output->allocator;

	for (size_t i = 0; i < map->class_count; i++)
		if (!format_names_add(&out->classes, allocator, map->classes[i].name,
				      (int32_t)i))
			return false;
	format_names_sort(&out->classes);
	if (map->bucket_count == 0)
		return true;
	out->sums = base_alloc(allocator, map->bucket_count, sizeof(*out->sums));
	for (size_t i = 0; out->sums && i < map->bucket_count; i++)
		out->sums[i] = sum_items(&map->buckets[i]);
	return out->sums != NULL;
}

static strew_status write_out(const strew_map *map, const struct format_output *output,
			      strew_error *error)
{
	struct format_json_out out = {.map = map};

	format_out_init(&out.to, output);
	if (prepare(&out))
		write_document(&out);
	else
		format_out_no_memory(&out.to);
	base_free(output->allocator, out.sums, map->bucket_count * sizeof(*out.sums));
	format_names_free(&out.classes, output->allocator);
	return format_out_end(&out.to, error);
}

strew_status format_json_write(const strew_map *map, const struct format_output *output,
			       strew_error *error)
{
	struct format_losses losses = {.output = output};
	strew_map *fit = NULL;
	strew_status status;

	format_json_lose(&losses, map);
	status = format_losses_end(&losses, "json", error);
	if (status == STREW_OK)
		status = format_repair(&fit, map, error);
	if (status == STREW_OK)
		status = write_out(fit, output, error);
	strew_map_release(fit);
	return status;
}
