/* SPDX-License-Identifier: MIT */
/* The member "stored" of our JSON: what only a stored map of Ceph has, so that such a map
 * can be written as it was. */
#include <string.h>

#include "base_alloc.h"
#include "format_json_priv.h"

static const char *const tails[] = {
	[MAP_TAIL_USUAL] = "",
	[MAP_TAIL_NAMES] = "names",
	[MAP_TAIL_TRIES] = "choose_tries",
	[MAP_TAIL_DESCEND_ONCE] = "chooseleaf_descend_once",
	[MAP_TAIL_VARY_R] = "chooseleaf_vary_r",
	[MAP_TAIL_STRAW_CALC] = "straw_calc_version",
	[MAP_TAIL_ALGS] = "allowed_bucket_algs",
	[MAP_TAIL_STABLE] = "chooseleaf_stable",
	[MAP_TAIL_CLASSES] = "classes",
	[MAP_TAIL_WEIGHT_SETS] = "weight_sets",
	[MAP_TAIL_MSR] = "msr",
};

#define TAILS (sizeof(tails) / sizeof(tails[0]))

struct stored {
	int64_t bucket_slots, rule_slots;
	const char *last_part, *rest;
	json_t *unnamed_types, *unnamed_items;
	json_t *type_names, *item_names, *rule_names, *item_classes, *class_shadows;
};

static const struct format_field stored_fields[] = {
	FORMAT_OPTIONAL_RANGE(KEY_BUCKET_SLOTS, stored, bucket_slots, 0,
			      -(int64_t)STREW_BUCKET_ID_MIN),
	FORMAT_OPTIONAL_RANGE(KEY_RULE_SLOTS, stored, rule_slots, 0, 65536),
	FORMAT_OPTIONAL(KEY_LAST_PART, FORMAT_TEXT, stored, last_part),
	FORMAT_OPTIONAL(KEY_REST, FORMAT_TEXT, stored, rest),
	FORMAT_OPTIONAL(KEY_UNNAMED_TYPES, FORMAT_LIST, stored, unnamed_types),
	FORMAT_OPTIONAL(KEY_UNNAMED_ITEMS, FORMAT_LIST, stored, unnamed_items),
	FORMAT_OPTIONAL(KEY_TYPE_NAMES, FORMAT_LIST, stored, type_names),
	FORMAT_OPTIONAL(KEY_ITEM_NAMES, FORMAT_LIST, stored, item_names),
	FORMAT_OPTIONAL(KEY_RULE_NAMES, FORMAT_LIST, stored, rule_names),
	FORMAT_OPTIONAL(KEY_ITEM_CLASSES, FORMAT_LIST, stored, item_classes),
	FORMAT_OPTIONAL(KEY_CLASS_SHADOWS, FORMAT_LIST, stored, class_shadows),
};
static const struct format_shape stored_shape =
	FORMAT_SHAPE("stored map", stored_fields, false);

const char *format_json_tail(enum map_tail tail)
{
	return tails[tail];
}

static void read_tail(struct format_walk *walk, const char *word,
		      struct map_layout *layout)
{
	size_t mark;

	for (size_t i = MAP_TAIL_NAMES; i < TAILS; i++)
		if (strcmp(word, tails[i]) == 0) {
			layout->tail = (enum map_tail)i;
			return;
		}
	mark = format_enter(walk, "last_part");
	format_fault(
		walk,
		"expected where a stored map ends: names, choose_tries, "
		"chooseleaf_descend_once, chooseleaf_vary_r, straw_calc_version, "
		"allowed_bucket_algs, chooseleaf_stable, classes, weight_sets or msr; "
		"found \"%s\"",
		word);
	format_leave(walk, mark);
}

/* -1 for what is no digit. */
static int digit_value(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = digit ? strchr(digits, digit) : NULL;

	return found ? (int)(found - digits) : -1;
}

static bool read_bytes(const char *hex, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int high = digit_value(hex[2 * i]), low = digit_value(hex[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i] = (uint8_t)(high * 16 + low);
	}
	return hex[2 * count] == '\0';
}

static void read_layout(struct format_walk *walk, const struct stored *stored)
{
	struct map_layout layout = {.bucket_slots = (uint32_t)stored->bucket_slots,
				    .rule_slots = (uint32_t)stored->rule_slots};
	const char *rest = stored->rest ? stored->rest : "";
	size_t count = strlen(rest) / 2, mark;
	uint8_t *bytes = base_alloc(walk->allocator, count + 1, 1);

	if (stored->last_part)
		read_tail(walk, stored->last_part, &layout);
	mark = format_enter(walk, "rest");
	if (bytes == NULL) {
		walk->failed = true;
	} else if (!read_bytes(rest, bytes, count)) {
		format_fault(walk,
			     "expected bytes as pairs of digits, 0 to 9 and a to f");
	} else {
		layout.rest = bytes;
		layout.rest_count = count;
		map_set_layout(format_builder(walk), &layout);
	}
	format_leave(walk, mark);
	base_free(walk->allocator, bytes, count + 1);
}

static void read_unnamed_type(struct format_walk *walk, json_t *element, void *ctx)
{
	int64_t id = 0;

	(void)ctx;
	if (format_integer(walk, element, 0, 65535, &id))
		map_set_unnamed(format_builder(walk), MAP_TYPES, (int32_t)id);
}

static void read_unnamed_item(struct format_walk *walk, json_t *element, void *ctx)
{
	int64_t id = 0;

	(void)ctx;
	if (format_integer(walk, element, STREW_BUCKET_ID_MIN, STREW_DEVICE_ID_MAX, &id))
		map_set_unnamed(format_builder(walk), id < 0 ? MAP_BUCKETS : MAP_DEVICES,
				(int32_t)id);
}

/* A list of strays of one kind, and what one of them is. */
struct stray_list {
	enum map_stray_kind kind;
	const char *what;
	size_t min, max; /* members */
};

static bool read_member(struct format_walk *walk, const json_t *element, size_t index,
			int64_t min, int32_t *out)
{
	size_t mark = format_enter_at(walk, index);
	int64_t number = 0;
	bool good = format_integer(walk, json_array_get(element, index), min, INT32_MAX,
				   &number);

	*out = (int32_t)number;
	format_leave(walk, mark);
	return good;
}

static bool read_stray_name(struct format_walk *walk, const json_t *element,
			    struct map_stray *stray)
{
	size_t mark = format_enter_at(walk, 1);
	bool good = format_text(walk, json_array_get(element, 1), &stray->name);

	format_leave(walk, mark);
	return good;
}

/* [id, name], [item, class], [bucket, class, shadow] or [bucket]. */
static void read_stray(struct format_walk *walk, json_t *element, void *ctx)
{
	const struct stray_list *list = ctx;
	struct map_stray stray = {.kind = list->kind, .class_id = -1};
	size_t count = json_array_size(element);
	bool good;

	if (count != list->min && count != list->max) {
		format_fault(walk, "expected %s", list->what);
		return;
	}
	good = read_member(walk, element, 0, INT32_MIN, &stray.id);
	if (list->kind < MAP_STRAY_CLASS)
		good = good && read_stray_name(walk, element, &stray);
	else if (count > 1)
		good = good && read_member(walk, element, 1, 0, &stray.class_id);
	if (count > 2)
		good = good && read_member(walk, element, 2, INT32_MIN, &stray.shadow);
	if (good)
		map_add_stray(format_builder(walk), &stray);
}

static void read_strays(struct format_walk *walk, const struct stored *stored)
{
	struct stray_list types = {MAP_STRAY_TYPE, "a type's id and name, [id, name]", 2,
				   2};
	struct stray_list items = {MAP_STRAY_ITEM, "an item's id and name, [id, name]", 2,
				   2};
	struct stray_list rules = {MAP_STRAY_RULE, "a rule's id and name, [id, name]", 2,
				   2};
	struct stray_list classes = {MAP_STRAY_CLASS,
				     "an item's id and its class's, [item, class]", 2, 2};
	struct stray_list shadows = {
		MAP_STRAY_SHADOW,
		"the ids of a bucket, a class and the bucket's shadow, "
		"[bucket, class, shadow], or [bucket] alone",
		1, 3};

	format_list(walk, "type_names", stored->type_names, read_stray, &types);
	format_list(walk, "item_names", stored->item_names, read_stray, &items);
	format_list(walk, "rule_names", stored->rule_names, read_stray, &rules);
	format_list(walk, "item_classes", stored->item_classes, read_stray, &classes);
	format_list(walk, "class_shadows", stored->class_shadows, read_stray, &shadows);
}

void format_json_stored(struct format_walk *walk, json_t *value)
{
	struct stored stored = {.last_part = NULL};
	size_t mark;

	if (value == NULL)
		return;
	mark = format_enter(walk, "stored");
	format_object(walk, value, &stored_shape, &stored);
	read_layout(walk, &stored);
	format_list(walk, "unnamed_types", stored.unnamed_types, read_unnamed_type, NULL);
	format_list(walk, "unnamed_items", stored.unnamed_items, read_unnamed_item, NULL);
	read_strays(walk, &stored);
	format_json_remarks(walk, value, (struct map_remark){.owner = MAP_OF_STORED});
	format_leave(walk, mark);
}
