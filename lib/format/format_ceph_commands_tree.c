/* SPDX-License-Identifier: MIT */
/* Buckets and devices: made, hung, moved, weighed; and taken away at the end. */
#include <stdio.h>
#include <string.h>

#include "format_ceph_commands.h"

/* Tunables are set by profile. One of them can be set alone, and no profile sets it. */
void format_commands_tunables(struct format_commands *commands)
{
	struct map_tunables was = commands->before.map->tunables, profile;
	struct map_tunables is = commands->after.map->tunables;
	const uint32_t straw = is.straw_calc_version;
	const char *name;

	if (was.straw_calc_version != straw)
		format_command(commands, FORMAT_CRUSH,
			       "osd crush set-tunable straw_calc_version %u", straw);
	was.straw_calc_version = straw;
	if (memcmp(&was, &is, sizeof(is)) == 0)
		return;
	name = map_nearest_profile(&is, &profile);
	profile.straw_calc_version = straw;
	if (memcmp(&profile, &is, sizeof(is)) == 0)
		format_command(commands, FORMAT_CRUSH, "osd crush tunables %s", name);
	else
		format_command_lose(commands, "tunables that are no profile's");
}

static void touch(struct format_commands *commands, const strew_bucket *bucket)
{
	if (bucket)
		commands->touched[bucket - commands->after.map->buckets] = true;
}

/* All that held it are lighter afterwards. */
static void touch_holders(struct format_commands *commands, struct format_hangs was)
{
	for (size_t i = 0; i < was.count; i++) {
		const strew_bucket *holder =
			&commands->before.map->buckets[was.items[i].bucket];

		touch(commands, format_other(&commands->before, holder));
	}
}

static void make_bucket(struct format_commands *commands, const strew_bucket *bucket)
{
	const char *type = format_type_of(&commands->after, bucket);
	struct format_quoted name = format_quote_name(commands, bucket->name);
	struct format_quoted word = format_quote_name(commands, type);

	if (strew_map_find_type(commands->before.map, type) < 0)
		commands->blocked = true;
	format_command(commands, FORMAT_CRUSH, "osd crush add-bucket %s %s", name.text,
		       word.text);
}

static void name_bucket(struct format_commands *commands, const strew_bucket *was,
			const strew_bucket *bucket)
{
	struct format_quoted from, to;

	if (strcmp(was->name, bucket->name) == 0)
		return;
	from = format_quote_name(commands, was->name);
	to = format_quote_name(commands, bucket->name);
	format_command(commands, FORMAT_CRUSH, "osd crush rename-bucket %s %s", from.text,
		       to.text);
}

/* Without a place at first: so they get their ids in this order, one after the other. */
static void make_buckets(struct format_commands *commands)
{
	const strew_map *map = commands->after.map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];
		const strew_bucket *was = format_other(&commands->after, bucket);

		if (was)
			name_bucket(commands, was, bucket);
	}
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0 &&
		    format_other(&commands->after, &map->buckets[i]) == NULL)
			make_bucket(commands, &map->buckets[i]);
}

/* A bucket has been made or hangs somewhere already. */
static void place_bucket(struct format_commands *commands, const strew_bucket *parent,
			 const strew_bucket *child, size_t old_places)
{
	size_t places = format_hangs_of(&commands->after, child->id).count;
	const char *verb = places == 1 && old_places <= 1 ? "move" : "link";
	struct format_quoted name = format_quote_name(commands, child->name);
	struct format_quoted to = format_quote_name(commands, parent->name);

	format_command(commands, FORMAT_CRUSH, "osd crush %s %s %s=%s", verb, name.text,
		       format_type_of(&commands->after, parent), to.text);
}

static uint32_t weight_at(const struct format_side *side, const struct format_hang *hang)
{
	return side->map->buckets[hang->bucket].items[hang->at].weight;
}

/* "set" and "move" take a device out of all other places, "add" leaves it there too. */
static void place_device(struct format_commands *commands, const strew_bucket *parent,
			 const struct map_item *item, struct format_hangs was)
{
	bool moves =
		was.count == 1 && format_hangs_of(&commands->after, item->id).count == 1;
	struct format_quoted to = format_quote_name(commands, parent->name);
	const char *type = format_type_of(&commands->after, parent);

	if (moves && weight_at(&commands->before, was.items) == item->weight)
		format_command(commands, FORMAT_CRUSH, "osd crush move osd.%d %s=%s",
			       (int)item->id, type, to.text);
	else
		format_command(commands, FORMAT_CRUSH, "osd crush %s osd.%d %s %s=%s",
			       moves ? "set" : "add", (int)item->id,
			       format_fixed(item->weight).text, type, to.text);
}

static void keep_device(struct format_commands *commands, const strew_bucket *parent,
			const struct map_item *item, const struct format_hang *hang)
{
	if (item->id < 0 || weight_at(&commands->before, hang) == item->weight)
		return;
	format_command(commands, FORMAT_CRUSH, "osd crush reweight osd.%d %s",
		       (int)item->id, format_fixed(item->weight).text);
	touch(commands, parent);
}

static void place_item(struct format_commands *commands, const strew_bucket *parent,
		       const struct map_item *item)
{
	const strew_bucket *old_parent = format_other(&commands->after, parent);
	struct format_hangs was = format_hangs_before(commands, item->id);
	const struct format_hang *stays =
		format_hang_in(&commands->before, was, old_parent);

	if (stays) {
		keep_device(commands, parent, item, stays);
		return;
	}
	commands->reshaped = true;
	touch(commands, parent);
	touch_holders(commands, was);
	if (item->id >= 0)
		place_device(commands, parent, item, was);
	else
		place_bucket(commands, parent,
			     strew_map_bucket_by_id(commands->after.map, item->id),
			     was.count);
}

/* Parents first: an item moves into a bucket that is where it will stay, and in no order
 * would a bucket come to hang in itself. */
static void place_items(struct format_commands *commands)
{
	const struct format_side *after = &commands->after;

	for (size_t i = 0; i < after->order_count; i++) {
		const strew_bucket *parent = &after->map->buckets[after->order[i]];

		for (size_t j = 0; j < parent->item_count; j++)
			place_item(commands, parent, &parent->items[j]);
	}
}

/* What leaves a bucket is taken away last, but the sums will follow it. */
static void touch_leavers(struct format_commands *commands)
{
	const struct format_side *before = &commands->before;

	for (size_t i = 0; i < before->hang_count; i++) {
		const struct format_hang *hang = &before->hangs[i];
		const strew_bucket *holder = &before->map->buckets[hang->bucket];
		const strew_bucket *now = format_other(before, holder);
		const strew_bucket *item =
			strew_map_bucket_by_id(before->map, hang->item);
		int32_t id = hang->item;

		if (item)
			item = format_other(before, item);
		if (item)
			id = item->id;
		if (now && (id >= 0 || item) &&
		    format_hang_in(&commands->after,
				   format_hangs_of(&commands->after, id), now))
			continue;
		touch(commands, now);
	}
}

/* What is touched makes all above it sum anew. */
static void touch_parents(struct format_commands *commands)
{
	const struct format_side *after = &commands->after;

	for (size_t i = after->order_count; i-- > 0;) {
		struct format_hangs hangs;

		if (!commands->touched[after->order[i]])
			continue;
		hangs = format_hangs_of(after, after->map->buckets[after->order[i]].id);
		for (size_t j = 0; j < hangs.count; j++)
			commands->touched[hangs.items[j].bucket] = true;
	}
}

void format_commands_tree(struct format_commands *commands)
{
	if (format_drops_straw(commands))
		format_command(commands, FORMAT_CRUSH,
			       "osd crush set-all-straw-buckets-to-straw2");
	make_buckets(commands);
	place_items(commands);
	touch_leavers(commands);
	touch_parents(commands);
}

/* One place for one other is a move, which has been made. */
static void unlink_item(struct format_commands *commands, const char *name,
			struct format_hangs old, struct format_hangs now)
{
	const struct format_side *before = &commands->before;

	if (old.count == 1 && now.count == 1)
		return;
	for (size_t i = 0; i < old.count; i++) {
		const strew_bucket *holder = &before->map->buckets[old.items[i].bucket];
		const strew_bucket *still = format_other(before, holder);

		if (still && format_hang_in(&commands->after, now, still))
			continue;
		format_command(
			commands, FORMAT_REMOVALS, "osd crush unlink %s %s", name,
			format_quote_name(commands, still ? still->name : holder->name)
				.text);
	}
}

static void remove_device(struct format_commands *commands, int32_t id)
{
	struct format_hangs now = format_hangs_of(&commands->after, id);
	char name[20];

	snprintf(name, sizeof(name), "osd.%d", (int)id);
	if (now.count == 0)
		format_command(commands, FORMAT_REMOVALS, "osd crush rm %s", name);
	else
		unlink_item(commands, name, format_hangs_of(&commands->before, id), now);
}

static void remove_devices(struct format_commands *commands)
{
	const struct format_side *before = &commands->before;

	for (size_t i = 0; i < before->hang_count; i++) {
		int32_t id = before->hangs[i].item;

		if (id >= 0 && (i == 0 || before->hangs[i - 1].item != id))
			remove_device(commands, id);
	}
}

static bool has_shadows(const strew_map *map)
{
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of != 0)
			return true;
	return false;
}

void format_commands_remove_items(struct format_commands *commands)
{
	const struct format_side *before = &commands->before;
	struct base_str *text = &commands->texts[FORMAT_REMOVALS];
	struct format_tally tally = {.count = 0};
	bool shadows = has_shadows(before->map);

	for (size_t i = 0; i < before->order_count; i++) {
		const strew_bucket *was = &before->map->buckets[before->order[i]];
		const strew_bucket *bucket = format_other(before, was);
		size_t len = base_str_len(text);

		if (bucket)
			unlink_item(commands,
				    format_quote_name(commands, bucket->name).text,
				    format_hangs_of(before, was->id),
				    format_hangs_of(&commands->after, bucket->id));
		if (base_str_len(text) > len && shadows)
			format_tally(&tally, was->name);
	}
	/* The cluster makes no shadow tree anew for that. */
	format_tally_lose(commands, &tally,
			  "that it leaves the class shadows too, of bucket");
	remove_devices(commands);
	for (size_t i = before->order_count; i-- > 0;) {
		const strew_bucket *was = &before->map->buckets[before->order[i]];

		if (format_other(before, was) == NULL)
			format_command(commands, FORMAT_REMOVALS, "osd crush rm %s",
				       format_quote_name(commands, was->name).text);
	}
}
