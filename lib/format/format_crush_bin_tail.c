/* SPDX-License-Identifier: MIT */
/* The first reading of what stands behind the buckets and rules of a binary CRUSH map:
 * names, and the parts that releases added one by one. */
#include <string.h>

#include "format_crush_bin_priv.h"

/* The least that an entry of each kind takes. */
#define NAME_SIZE  9
#define PAIR_SIZE  8
#define SET_SIZE   12
#define ENTRY_SIZE 12

/* A string that ends, of bytes that don't. */
static const char *get_text(struct format_bin *file, uint32_t len)
{
	size_t at = file->bytes.at;
	const uint8_t *bytes = base_bytes_get(&file->bytes, len, 1);
	char *text = NULL;

	if (bytes == NULL)
		return "";
	if (len == 0 || memchr(bytes, '\0', len)) {
		format_bin_refuse(file, at, "%s: a name %s", file->what,
				  len ? "holds a NUL byte" : "is empty");
		return "";
	}
	text = base_arena_alloc(&file->arena, (size_t)len + 1, 1);
	if (text == NULL) {
		format_bin_no_memory(file);
		return "";
	}
	memcpy(text, bytes, len);
	return text;
}

static void check_order(struct format_bin *file, size_t at, int64_t before, int64_t key)
{
	if (key <= before)
		format_bin_refuse(
			file, at,
			"%s: %lld comes after %lld; they are in ascending order, "
			"each once",
			file->what, (long long)key, (long long)before);
}

static void scan_name(struct format_bin *file, struct base_vec *names, bool may_be_wide)
{
	const struct format_bin_name *last = names->items;
	struct format_bin_name name = {.at = file->bytes.at};
	struct format_bin_name *added;
	uint32_t len;

	name.key = base_bytes_get_i32(&file->bytes);
	len = base_bytes_get_u32(&file->bytes);
	if (len == 0 && may_be_wide && format_bin_good(file)) {
		file->has_wide_keys = true;
		len = base_bytes_get_u32(&file->bytes);
	}
	name.name = get_text(file, len);
	if (names->count > 0 && format_bin_good(file))
		check_order(file, name.at, last[names->count - 1].key, name.key);
	if (!format_bin_good(file))
		return;
	added = base_vec_push(names, file->allocator, sizeof(*added));
	if (added)
		*added = name;
	else
		format_bin_no_memory(file);
}

static void scan_names(struct format_bin *file, struct base_vec *names, const char *what,
		       bool may_be_wide)
{
	uint32_t count;
	size_t at = file->bytes.at;

	format_bin_now(file, what);
	count = base_bytes_get_u32(&file->bytes);
	format_bin_accept(file, at, count, NAME_SIZE);
	for (uint32_t i = 0; i < count && format_bin_good(file); i++)
		scan_name(file, names, may_be_wide);
}

/* What starts with a key, in ascending order. */
static const void *find_key(const struct base_vec *entries, size_t size, int32_t key)
{
	const char *items = entries->items;
	size_t low = 0, high = entries->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int32_t found;

		memcpy(&found, items + middle * size, sizeof(found));
		if (found == key)
			return items + middle * size;
		if (found < key)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct format_bin_name *format_bin_find_name(const struct base_vec *names,
						   int32_t key)
{
	return find_key(names, sizeof(struct format_bin_name), key);
}

const struct format_bin_class *format_bin_find_class(const struct format_bin *file,
						     int32_t item)
{
	return find_key(&file->classes, sizeof(struct format_bin_class), item);
}

static void scan_item_classes(struct format_bin *file)
{
	size_t at = file->bytes.at;
	uint32_t count;
	int64_t before = INT64_MIN;

	format_bin_now(file, "the classes of items");
	count = base_bytes_get_u32(&file->bytes);
	format_bin_accept(file, at, count, PAIR_SIZE);
	for (uint32_t i = 0; i < count && format_bin_good(file); i++) {
		struct format_bin_class *class =
			base_vec_push(&file->classes, file->allocator, sizeof(*class));

		if (class == NULL) {
			format_bin_no_memory(file);
			return;
		}
		class->at = file->bytes.at;
		class->item = base_bytes_get_i32(&file->bytes);
		class->class_id = base_bytes_get_i32(&file->bytes);
		if (format_bin_good(file))
			check_order(file, class->at, before, class->item);
		if (class->class_id < 0)
			format_bin_refuse(file, class->at + 4,
					  "item %d has a class with the id %d; ids of "
					  "classes are 0 or more",
					  (int)class->item, (int)class->class_id);
		before = class->item;
	}
}

static void add_shadow(struct format_bin *file, const struct format_bin_shadow *shadow)
{
	struct format_bin_shadow *added =
		base_vec_push(&file->shadows, file->allocator, sizeof(*added));

	if (added)
		*added = *shadow;
	else
		format_bin_no_memory(file);
}

static void scan_shadows_of(struct format_bin *file, int32_t bucket, size_t at)
{
	uint32_t count = base_bytes_get_u32(&file->bytes);
	int64_t before = -1;

	format_bin_accept(file, at + 4, count, PAIR_SIZE);
	if (count == 0 && format_bin_good(file))
		add_shadow(file, &(struct format_bin_shadow){bucket, -1, 0, at, false});
	for (uint32_t i = 0; i < count && format_bin_good(file); i++) {
		struct format_bin_shadow shadow = {.bucket = bucket,
						   .at = file->bytes.at};

		shadow.class_id = base_bytes_get_i32(&file->bytes);
		shadow.shadow = base_bytes_get_i32(&file->bytes);
		if (format_bin_good(file))
			check_order(file, shadow.at, before, shadow.class_id);
		before = shadow.class_id;
		add_shadow(file, &shadow);
	}
}

static void scan_shadows(struct format_bin *file)
{
	size_t at = file->bytes.at;
	uint32_t count;
	int64_t before = INT64_MIN;

	format_bin_now(file, "the shadows of buckets");
	count = base_bytes_get_u32(&file->bytes);
	format_bin_accept(file, at, count, PAIR_SIZE);
	for (uint32_t i = 0; i < count && format_bin_good(file); i++) {
		int32_t bucket;

		at = file->bytes.at;
		bucket = base_bytes_get_i32(&file->bytes);
		if (format_bin_good(file))
			check_order(file, at, before, bucket);
		before = bucket;
		scan_shadows_of(file, bucket, at);
	}
}

static void scan_entry(struct format_bin *file)
{
	size_t at;
	uint32_t positions, count;

	base_bytes_get_u32(&file->bytes);
	at = file->bytes.at;
	positions = base_bytes_get_u32(&file->bytes);
	format_bin_accept(file, at, positions, 4);
	for (uint32_t i = 0; i < positions && format_bin_good(file); i++) {
		at = file->bytes.at;
		count = base_bytes_get_u32(&file->bytes);
		if (format_bin_accept(file, at, count, 4))
			base_bytes_get(&file->bytes, count, 4);
	}
	at = file->bytes.at;
	count = base_bytes_get_u32(&file->bytes);
	if (format_bin_accept(file, at, count, 4))
		base_bytes_get(&file->bytes, count, 4);
}

static void scan_sets(struct format_bin *file)
{
	size_t at = file->bytes.at;
	int64_t before = INT64_MIN;

	format_bin_now(file, "the weight sets");
	file->set_count = base_bytes_get_u32(&file->bytes);
	format_bin_accept(file, at, file->set_count, SET_SIZE);
	file->sets_at = file->bytes.at;
	for (uint32_t i = 0; i < file->set_count && format_bin_good(file); i++) {
		int64_t id;
		uint32_t entries;

		at = file->bytes.at;
		id = base_bytes_get_i64(&file->bytes);
		entries = base_bytes_get_u32(&file->bytes);
		if (format_bin_good(file) && i > 0)
			check_order(file, at, before, id);
		before = id;
		format_bin_accept(file, at + 8, entries, ENTRY_SIZE);
		for (uint32_t j = 0; j < entries && format_bin_good(file); j++)
			scan_entry(file);
	}
}

/* A part of the tail is there when any bytes are left. */
static bool has_part(struct format_bin *file, enum map_tail tail)
{
	if (!format_bin_good(file) || base_bytes_left(&file->bytes) == 0)
		return false;
	file->tail = tail;
	return true;
}

static void scan_tunables(struct format_bin *file)
{
	struct map_tunables *tunables = &file->tunables;
	struct base_bytes *bytes = &file->bytes;

	format_bin_now(file, "the tunables");
	if (has_part(file, MAP_TAIL_TRIES)) {
		tunables->choose_local_tries = base_bytes_get_u32(bytes);
		tunables->choose_local_fallback_tries = base_bytes_get_u32(bytes);
		tunables->choose_total_tries = base_bytes_get_u32(bytes);
	}
	if (has_part(file, MAP_TAIL_DESCEND_ONCE))
		tunables->chooseleaf_descend_once = base_bytes_get_u32(bytes);
	if (has_part(file, MAP_TAIL_VARY_R))
		tunables->chooseleaf_vary_r = base_bytes_get_u8(bytes);
	if (has_part(file, MAP_TAIL_STRAW_CALC))
		tunables->straw_calc_version = base_bytes_get_u8(bytes);
	if (has_part(file, MAP_TAIL_ALGS))
		tunables->allowed_bucket_algs = base_bytes_get_u32(bytes);
	if (has_part(file, MAP_TAIL_STABLE))
		tunables->chooseleaf_stable = base_bytes_get_u8(bytes);
}

/* Fewer bytes than the last part takes are none of it: releases that don't know it ignore
 * whatever stands there. */
static void scan_msr(struct format_bin *file)
{
	if (base_bytes_left(&file->bytes) < 8 || !has_part(file, MAP_TAIL_MSR))
		return;
	file->tunables.msr_descents = base_bytes_get_u32(&file->bytes);
	file->tunables.msr_collision_tries = base_bytes_get_u32(&file->bytes);
}

void format_bin_scan_tail(struct format_bin *file)
{
	file->tail = MAP_TAIL_NAMES;
	file->tunables = (struct map_tunables){2, 5, 19, 0, 0, 0, 0, 22, 100, 100};
	scan_names(file, &file->type_names, "the names of types", true);
	scan_names(file, &file->item_names, "the names of items", true);
	scan_names(file, &file->rule_names, "the names of rules", true);
	scan_tunables(file);
	if (has_part(file, MAP_TAIL_CLASSES)) {
		scan_item_classes(file);
		scan_names(file, &file->class_names, "the names of classes", false);
		scan_shadows(file);
	}
	if (has_part(file, MAP_TAIL_WEIGHT_SETS))
		scan_sets(file);
	scan_msr(file);
}
