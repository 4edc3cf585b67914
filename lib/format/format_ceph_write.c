/* SPDX-License-Identifier: MIT */
/* A CRUSH dump: what `crushtool --dump` prints, byte for byte. */
#include "format_ceph_write.h"
#include <stdio.h>

#include "base_error.h"

/* More ids without a device than that are left out, for they say nothing. */
#define GAPS_MAX 1000000

/* The next stray class of a device's id at or above one, from a place in the strays. */
static size_t next_stray(const strew_map *map, size_t place, int32_t id)
{
	while (place < map->stray_count &&
	       (map->strays[place].kind != MAP_STRAY_CLASS || map->strays[place].id < id))
		place++;
	return place;
}

const char *format_ceph_class_name(const strew_map *map, int32_t id)
{
	for (size_t i = 0; i < map->class_count; i++)
		if (map->classes[i].id == id)
			return map->classes[i].name;
	return NULL;
}

int32_t format_ceph_device_end(const strew_map *map)
{
	return map->device_count ? map->devices[map->device_count - 1].id + 1 : 0;
}

bool format_ceph_lists_gaps(const strew_map *map)
{
	return (size_t)format_ceph_device_end(map) <= map->device_count + GAPS_MAX;
}

static void write_device(struct format_ceph_out *out, int32_t id, const char *name,
			 const char *class_name)
{
	format_ceph_open(out, NULL, '{');
	format_ceph_integer(out, "id", id);
	format_ceph_string(out, "name", name);
	if (class_name)
		format_ceph_string(out, "class", class_name);
	format_ceph_close(out, '}');
}

/* Ids that no device has, up to one; a class may stand there all the same. */
static void write_gap(struct format_ceph_out *out, int32_t first, int32_t end,
		      size_t *stray)
{
	const strew_map *map = out->map;

	for (int32_t id = first; id < end && !format_out_stopped(&out->to); id++) {
		const char *class_name = NULL;

		*stray = next_stray(map, *stray, id);
		if (*stray < map->stray_count && map->strays[*stray].id == id)
			class_name =
				format_ceph_class_name(map, map->strays[*stray].class_id);
		write_device(out, id, map_stand_in(MAP_DEVICES, id).name, class_name);
	}
}

static void write_devices(struct format_ceph_out *out)
{
	const strew_map *map = out->map;
	bool has_gaps = format_ceph_lists_gaps(map);
	size_t stray = 0;
	int32_t next = 0;

	format_ceph_open(out, "devices", '[');
	for (size_t i = 0; i < map->device_count && !format_out_stopped(&out->to); i++) {
		const strew_device *device = &map->devices[i];

		if (has_gaps)
			write_gap(out, next, device->id, &stray);
		write_device(out, device->id, device->name, device->class_name);
		next = device->id + 1;
	}
	format_ceph_close(out, ']');
}

static void write_type(struct format_ceph_out *out, const struct map_type *type)
{
	format_ceph_open(out, NULL, '{');
	format_ceph_integer(out, "type_id", type->id);
	format_ceph_string(out, "name", type->name);
	format_ceph_close(out, '}');
}

/* Of those without a name only the devices' own stands there, if any has one. */
static void write_types(struct format_ceph_out *out)
{
	const strew_map *map = out->map;
	bool has_names = false;

	for (size_t i = 0; i < map->type_count; i++)
		has_names |= !map->types[i].unnamed;
	format_ceph_open(out, "types", '[');
	for (size_t i = 0; has_names && i < map->type_count; i++)
		if (!map->types[i].unnamed || map->types[i].id == 0)
			write_type(out, &map->types[i]);
	format_ceph_close(out, ']');
}

static void write_items(struct format_ceph_out *out, const strew_bucket *bucket)
{
	format_ceph_open(out, "items", '[');
	for (size_t i = 0; i < bucket->item_count; i++) {
		format_ceph_open(out, NULL, '{');
		format_ceph_integer(out, "id", bucket->items[i].id);
		format_ceph_integer(out, "weight", (int32_t)bucket->items[i].weight);
		format_ceph_integer(out, "pos", (int64_t)i);
		format_ceph_close(out, '}');
	}
	format_ceph_close(out, ']');
}

static void write_bucket(struct format_ceph_out *out, const strew_bucket *bucket)
{
	const struct map_type *type =
		&out->map->types[map_type_index(out->map, bucket->type)];

	format_ceph_open(out, NULL, '{');
	format_ceph_integer(out, "id", bucket->id);
	if (!bucket->unnamed)
		format_ceph_string(out, "name", bucket->name);
	format_ceph_integer(out, "type_id", bucket->type);
	if (!type->unnamed)
		format_ceph_string(out, "type_name", type->name);
	format_ceph_integer(out, "weight", (int32_t)bucket->weight);
	format_ceph_string(out, "alg", bucket->alg);
	format_ceph_string(out, "hash", bucket->hash == 0 ? "rjenkins1" : "unknown");
	write_items(out, bucket);
	format_ceph_close(out, '}');
}

static void write_buckets(struct format_ceph_out *out)
{
	const strew_map *map = out->map;

	format_ceph_open(out, "buckets", '[');
	for (size_t i = 0; i < map->bucket_count && !format_out_stopped(&out->to); i++)
		write_bucket(out, &map->buckets[i]);
	format_ceph_close(out, ']');
}

static void write_rows(struct format_ceph_out *out, const struct map_weights *weights,
		       size_t count)
{
	if (weights->positions == 0)
		return;
	format_ceph_open(out, "weight_set", '[');
	for (size_t i = 0; i < weights->positions; i++) {
		format_ceph_open(out, NULL, '[');
		for (size_t j = 0; j < count; j++)
			format_ceph_weight(out, weights->rows[i * count + j]);
		format_ceph_close(out, ']');
	}
	format_ceph_close(out, ']');
}

static void write_weights(struct format_ceph_out *out, const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(out->map, weights->bucket)->item_count;

	format_ceph_open(out, NULL, '{');
	format_ceph_integer(out, "bucket_id", weights->bucket);
	write_rows(out, weights, count);
	if (weights->ids) {
		format_ceph_open(out, "ids", '[');
		for (size_t i = 0; i < count; i++)
			format_ceph_integer(out, NULL, weights->ids[i]);
		format_ceph_close(out, ']');
	}
	format_ceph_close(out, '}');
}

static void write_choose_args(struct format_ceph_out *out)
{
	const strew_map *map = out->map;

	format_ceph_open(out, "choose_args", '{');
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];
		char name[24];

		snprintf(name, sizeof(name), "%lld", (long long)set->id);
		format_ceph_open(out, name, '[');
		for (size_t j = 0; j < set->bucket_count; j++)
			if (!format_out_stopped(&out->to))
				write_weights(out, &set->buckets[j]);
		format_ceph_close(out, ']');
	}
	format_ceph_close(out, '}');
}

static strew_status write_dump(const strew_map *map, const struct format_output *output,
			       strew_error *error)
{
	struct format_ceph_out out = {
		.map = map, .dialect = output->dialect, .starts = true};

	format_out_init(&out.to, output);
	format_ceph_open(&out, NULL, '{');
	write_devices(&out);
	write_types(&out);
	write_buckets(&out);
	format_ceph_write_rules(&out);
	format_ceph_write_tunables(&out);
	write_choose_args(&out);
	format_ceph_close(&out, '}');
	format_out_put(&out.to, output->pretty ? "\n\n" : "\n");
	return format_out_end(&out.to, error);
}

strew_status format_ceph_write(const strew_map *map, const struct format_output *output,
			       strew_error *error)
{
	struct format_losses losses = {.output = output};
	strew_map *fit = NULL;
	strew_status status = format_ceph_accept(map, error);

	if (status != STREW_OK)
		return status;
	if (!format_ceph_lose(&losses, map))
		return base_error_nomem(error);
	status = format_losses_end(&losses, format_ceph_json.name, error);
	if (status == STREW_OK)
		status = format_repair(&fit, map, error);
	if (status == STREW_OK)
		status = write_dump(fit, output, error);
	strew_map_release(fit);
	return status;
}
