/* SPDX-License-Identifier: MIT */
/* What a CRUSH dump can't hold. */
#include <stdio.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "format_ceph_priv.h"
#include "format_ceph_write.h"

strew_status format_ceph_accept(const strew_map *map, strew_error *error)
{
	static const char *const algs[] = {"uniform", "list", "tree", "straw", "straw2"};
	const size_t count = sizeof(algs) / sizeof(algs[0]);

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];
		size_t alg = 0;

		while (alg < count && strcmp(algs[alg], bucket->alg) != 0)
			alg++;
		if (alg == count)
			return base_error_set(
				error, STREW_ENOTSUP,
				"bucket \"%.96s\" is of the algorithm %.32s, which Ceph "
				"does not have",
				bucket->name, bucket->alg);
	}
	return STREW_OK;
}

static void check_device(struct format_losses *losses, const strew_device *device,
			 bool is_placed)
{
	bool stands_in =
		strcmp(device->name, map_stand_in(MAP_DEVICES, device->id).name) == 0;

	if (stands_in && !is_placed)
		format_lose(losses,
			    "device %d, which is in no bucket and has no name but \"%s\"",
			    (int)device->id, device->name);
	else if (stands_in && !device->unnamed)
		format_lose(losses,
			    "that device %d is called \"%s\", like one without a name",
			    (int)device->id, device->name);
}

static bool check_devices(struct format_losses *losses, const strew_map *map)
{
	const strew_allocator *allocator = losses->output->allocator;
	size_t count = map->device_count + 1;
	bool *placed = base_calloc(allocator, count, sizeof(*placed));

	if (placed == NULL)
		return false;
	for (size_t i = 0; i < map->bucket_count; i++)
		for (size_t j = 0; j < map->buckets[i].item_count; j++)
			if (map->buckets[i].items[j].id >= 0)
				placed[map_device_index(
					map, map->buckets[i].items[j].id)] = true;
	for (size_t i = 0; i < map->device_count; i++)
		check_device(losses, &map->devices[i], placed[i]);
	base_free(allocator, placed, count * sizeof(*placed));
	return true;
}

/* Classes are numbered in the order of the devices, then of the shadows that have them.
 */
static void meet_class(const strew_map *map, const char *class_name, size_t *met)
{
	if (class_name && *met < map->class_count &&
	    strcmp(map->classes[*met].name, class_name) == 0 &&
	    map->classes[*met].id == (int32_t)*met)
		++*met;
}

static void check_classes(struct format_losses *losses, const strew_map *map)
{
	size_t met = 0;

	for (size_t i = 0; i < map->device_count; i++)
		meet_class(map, map->devices[i].class_name, &met);
	for (size_t i = 0; i < map->bucket_count; i++)
		meet_class(map, map->buckets[i].class_name, &met);
	for (; met < map->class_count; met++)
		format_lose(losses, "the id of the device class %.96s, %d",
			    map->classes[met].name, (int)map->classes[met].id);
}

/* What a dump's reader takes a bucket to be the shadow of: what its name says. */
static bool find_shadowed(int32_t *base_id, const strew_map *map,
			  const strew_bucket *bucket, const strew_allocator *allocator)
{
	const char *tilde = strrchr(bucket->name, '~');
	const strew_bucket *base = NULL;
	struct base_str name;
	bool good;

	*base_id = 0;
	if (bucket->unnamed || tilde == NULL || tilde[1] == '\0')
		return true;
	base_str_init(&name, allocator);
	base_str_add_bytes(&name, bucket->name, (size_t)(tilde - bucket->name));
	good = base_str_ok(&name);
	if (good)
		base = strew_map_bucket_by_name(map, base_str_text(&name));
	if (base && !base->unnamed && base->type == bucket->type)
		*base_id = base->id;
	base_str_free(&name);
	return good;
}

static bool check_shadow(struct format_losses *losses, const strew_map *map,
			 const strew_bucket *bucket)
{
	int32_t told = 0;
	const char *tilde = strrchr(bucket->name, '~');

	if (!find_shadowed(&told, map, bucket, losses->output->allocator))
		return false;
	if (told != bucket->shadow_of ||
	    (told != 0 && strcmp(tilde + 1, bucket->class_name) != 0))
		format_lose(losses,
			    bucket->shadow_of
				    ? "that bucket %d (%.200s) is the shadow of bucket %d"
				    : "that bucket %d (%.200s) is no shadow, whatever "
				      "its name says",
			    (int)bucket->id, bucket->name, (int)bucket->shadow_of);
	return true;
}

static void check_selector(struct format_losses *losses, const strew_map *map,
			   const strew_bucket *bucket)
{
	uint8_t usual = map->tunables.straw_calc_version > 0;

	if (bucket->hash != 0 && bucket->hash != FORMAT_CEPH_UNKNOWN_HASH)
		format_lose(losses, "the hash of bucket %.200s, %d", bucket->name,
			    bucket->hash);
	if (bucket->table)
		format_lose(losses, "the %s of bucket %.200s, as they were stored",
			    strcmp(bucket->alg, "straw") == 0  ? "straw lengths"
			    : strcmp(bucket->alg, "list") == 0 ? "running sums"
			    : strcmp(bucket->alg, "tree") == 0 ? "node weights"
							       : "items' weights",
			    bucket->name);
	else if (strcmp(bucket->alg, "straw") == 0 && bucket->straw_calc_version != usual)
		format_lose(losses,
			    "that the straw lengths of bucket %.200s are by "
			    "straw_calc_version %d",
			    bucket->name, bucket->straw_calc_version);
}

static bool check_buckets(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->bucket_count; i++) {
		check_selector(losses, map, &map->buckets[i]);
		if (!check_shadow(losses, map, &map->buckets[i]))
			return false;
	}
	return true;
}

/* A named step has no place for all arguments that a stored one has. */
static bool has_more(const struct format_dialect *dialect, const struct map_step *step)
{
	if (format_ceph_step_word(dialect, step->op) == NULL ||
	    map_op_chooses((int)step->op))
		return false;
	return step->arg2 != 0 || (step->arg1 != 0 && (step->op == STREW_OP_NOOP ||
						       step->op == STREW_OP_EMIT));
}

static void check_rules(struct format_losses *losses, const strew_map *map)
{
	const struct format_dialect *dialect = losses->output->dialect;
	size_t masks = 0;

	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		masks += !dialect->has_masks && format_mask_tells(rule);
		for (size_t j = 0; j < rule->step_count; j++)
			if (has_more(dialect, &rule->steps[j]))
				format_lose(losses,
					    "arguments of step %zu of rule %d that "
					    "decide nothing",
					    j, (int)rule->id);
	}
	if (masks > 0)
		format_lose(losses, "the ruleset, min_size and max_size of %zu rule%s",
			    masks, masks == 1 ? "" : "s");
	if (!dialect->has_msr && (map->tunables.msr_descents != 100 ||
				  map->tunables.msr_collision_tries != 100))
		format_lose(losses,
			    "the tunables msr_descents and msr_collision_tries, which "
			    "the dialect %s does not have",
			    dialect->name);
}

/* One a set is enough. */
static void check_rows(struct format_losses *losses, const strew_map *map,
		       const struct map_weight_set *set)
{
	for (size_t i = 0; i < set->bucket_count; i++) {
		const struct map_weights *weights = &set->buckets[i];
		size_t count = strew_map_bucket_by_id(map, weights->bucket)->item_count;

		for (size_t j = 0; j < count * weights->positions; j++) {
			if (format_ceph_holds_weight(weights->rows[j]))
				continue;
			format_lose(losses,
				    "the last bits of weights in weight set %lld, for "
				    "Ceph prints them as 32-bit floats",
				    (long long)set->id);
			return;
		}
	}
}

static void check_weight_sets(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];
		char number[24];

		snprintf(number, sizeof(number), "%lld", (long long)set->id);
		if (strcmp(set->name, number) != 0)
			format_lose(losses, "the name of weight set %s, \"%.200s\"",
				    number, set->name);
		check_rows(losses, map, set);
	}
}

/* Does the list of devices tell it, at an id that no device has? */
static bool is_listed(const strew_map *map, const struct map_stray *stray)
{
	return stray->kind == MAP_STRAY_CLASS && stray->id >= 0 &&
	       stray->id < format_ceph_device_end(map) && format_ceph_lists_gaps(map) &&
	       map_device_index(map, stray->id) < 0 &&
	       format_ceph_class_name(map, stray->class_id) != NULL;
}

static void check_stored(struct format_losses *losses, const strew_map *map)
{
	static const char *const kinds[] = {
		[MAP_STRAY_TYPE] = "name of a type",
		[MAP_STRAY_ITEM] = "name of an item",
		[MAP_STRAY_RULE] = "name of a rule",
		[MAP_STRAY_CLASS] = "class of an item",
		[MAP_STRAY_SHADOW] = "shadow of a bucket",
	};

	for (size_t i = 0; i < map->stray_count; i++) {
		const struct map_stray *stray = &map->strays[i];

		if (!is_listed(map, stray))
			format_lose(losses, "the %s that isn't there, %d",
				    kinds[stray->kind], (int)stray->id);
	}
	if (map->layout.bucket_slots || map->layout.rule_slots)
		format_lose(losses, "empty slots of the arrays of buckets and rules");
	if (map->layout.tail != MAP_TAIL_USUAL || map->layout.rest_count)
		format_lose(losses, "where the stored map ends");
}

/* Beside types with names that of devices is listed as "device". */
static void check_types(struct format_losses *losses, const strew_map *map)
{
	bool has_names = false;

	for (size_t i = 0; i < map->type_count; i++)
		has_names |= !map->types[i].unnamed;
	if (has_names && map->types[0].unnamed)
		format_lose(losses, "that the type of devices has no name");
}

bool format_ceph_lose(struct format_losses *losses, const strew_map *map)
{
	format_lose_names(losses, map);
	format_lose_cluster(losses, map);
	check_classes(losses, map);
	check_types(losses, map);
	check_rules(losses, map);
	check_weight_sets(losses, map);
	check_stored(losses, map);
	return check_devices(losses, map) && check_buckets(losses, map);
}
