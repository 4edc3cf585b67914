/* SPDX-License-Identifier: MIT */
/* The member "stored": what of a stored map is not as Ceph's tools would make it. */
#include "format_json_priv.h"
#include "format_json_write.h"

/* The object begins with the first member that there is. */
struct stored {
	struct format_json_out *out;
	bool begun;
};

static void start_member(struct stored *stored, const char *name)
{
	struct format_json_out *out = stored->out;

	if (!stored->begun) {
		format_json_top_member(out, "stored");
		format_json_put(out, "{ ");
		out->starts = true;
	}
	stored->begun = true;
	format_json_member(out, name);
}

static void write_number(struct stored *stored, const char *name, uint32_t number)
{
	if (number == 0)
		return;
	start_member(stored, name);
	format_json_put_integer(stored->out, number);
}

static void write_layout(struct stored *stored)
{
	const struct map_layout *layout = &stored->out->map->layout;

	write_number(stored, "bucket_slots", layout->bucket_slots);
	write_number(stored, "rule_slots", layout->rule_slots);
	if (layout->tail != MAP_TAIL_USUAL) {
		start_member(stored, "last_part");
		format_json_put_string(stored->out, format_json_tail(layout->tail));
	}
	if (layout->rest_count == 0)
		return;
	start_member(stored, "rest");
	format_json_put(stored->out, "\"");
	for (size_t i = 0; i < layout->rest_count; i++)
		base_str_addf(&stored->out->to.text, "%02x", layout->rest[i]);
	format_json_put(stored->out, "\"");
}

/* A list that begins with its first element. */
struct list {
	struct stored *stored;
	const char *name;
	bool begun;
};

static void start_element(struct list *list)
{
	if (!list->begun)
		start_member(list->stored, list->name);
	format_json_put(list->stored->out, list->begun ? ", " : "[");
	list->begun = true;
}

static void end_list(const struct list *list)
{
	if (list->begun)
		format_json_put(list->stored->out, "]");
}

static void write_id(struct list *list, int32_t id)
{
	start_element(list);
	format_json_put_integer(list->stored->out, id);
}

/* The one for devices goes without saying: it is made wherever there is none. */
static void write_unnamed_types(struct stored *stored)
{
	const strew_map *map = stored->out->map;
	struct list list = {stored, "unnamed_types", false};

	for (size_t i = 0; i < map->type_count; i++)
		if (map->types[i].unnamed && map->types[i].id != 0)
			write_id(&list, map->types[i].id);
	end_list(&list);
}

static void write_unnamed_items(struct stored *stored)
{
	const strew_map *map = stored->out->map;
	struct list list = {stored, "unnamed_items", false};

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].unnamed)
			write_id(&list, map->buckets[i].id);
	for (size_t i = 0; i < map->device_count; i++)
		if (map->devices[i].unnamed)
			write_id(&list, map->devices[i].id);
	end_list(&list);
}

static void write_stray(struct format_json_out *out, const struct map_stray *stray)
{
	base_str_addf(&out->to.text, "[%d", (int)stray->id);
	if (stray->kind < MAP_STRAY_CLASS) {
		format_json_put(out, ", ");
		format_json_put_string(out, stray->name);
	} else if (stray->class_id >= 0) {
		base_str_addf(&out->to.text, ", %d", (int)stray->class_id);
		if (stray->kind == MAP_STRAY_SHADOW)
			base_str_addf(&out->to.text, ", %d", (int)stray->shadow);
	}
	format_json_put(out, "]");
}

static void write_strays(struct stored *stored)
{
	static const char *const names[] = {
		[MAP_STRAY_TYPE] = "type_names",      [MAP_STRAY_ITEM] = "item_names",
		[MAP_STRAY_RULE] = "rule_names",      [MAP_STRAY_CLASS] = "item_classes",
		[MAP_STRAY_SHADOW] = "class_shadows",
	};
	const strew_map *map = stored->out->map;
	struct list list = {.stored = stored};

	for (size_t i = 0; i < map->stray_count; i++) {
		const struct map_stray *stray = &map->strays[i];

		if (i == 0 || stray->kind != map->strays[i - 1].kind) {
			end_list(&list);
			list = (struct list){stored, names[stray->kind], false};
		}
		start_element(&list);
		write_stray(stored->out, stray);
	}
	end_list(&list);
}

void format_json_write_stored(struct format_json_out *out)
{
	struct stored stored = {.out = out};
	size_t count = 0;
	const struct map_remark *remarks =
		map_remarks(out->map, MAP_OF_STORED, 0, 0, &count);

	write_layout(&stored);
	write_unnamed_types(&stored);
	write_unnamed_items(&stored);
	write_strays(&stored);
	for (size_t i = 0; i < count; i++) {
		start_member(&stored, remarks[i].name);
		format_json_put(out, remarks[i].text);
	}
	if (stored.begun)
		format_json_put(out, " }");
}
