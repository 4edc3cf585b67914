/* SPDX-License-Identifier: MIT */
/**
 * Weight sets. When the tree changes, the cluster gives what moves or is weighed anew its
 * plain weight in every set, and sums above it; only what is to differ from that is set.
 */
#include <string.h>

#include "base_alloc.h"
#include "format_ceph_commands.h"

struct work {
	struct format_commands *commands;
	enum format_section section;
	const struct map_weight_set *was; /* NULL: the set is new */
	const struct map_weight_set *is;
	size_t positions;
	bool all; /* set every device anew */
	struct format_tally several;
	struct format_quoted pool; /* of the set; empty: the compat set */
	bool *changed; /* by bucket of `after`: its sums follow what is below it */
};

static uint32_t sum_of(const struct work *work, const strew_bucket *bucket,
		       size_t position)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		sum += map_weight_in(work->is, bucket, i, position);
	return sum;
}

/* What the set has for an item once all commands so far have run. */
static uint32_t follows(const struct work *work, const strew_bucket *bucket, size_t item,
			size_t position)
{
	const struct format_commands *commands = work->commands;
	const struct map_item *what = &bucket->items[item];
	const strew_bucket *old = format_other(&commands->after, bucket), *child = NULL;
	const struct format_hang *hang = format_hang_in(
		&commands->before, format_hangs_before(commands, what->id), old);

	if (what->id < 0)
		child = strew_map_bucket_by_id(commands->after.map, what->id);
	if (child && (work->changed[child - commands->after.map->buckets] ||
		      (hang == NULL && work->was)))
		return sum_of(work, child, position);
	if (work->was == NULL || hang == NULL)
		return what->weight;
	if (child == NULL && old->items[hang->at].weight != what->weight)
		return what->weight;
	return map_weight_in(work->was, old, hang->at, position);
}

static void weigh_item(struct work *work, const strew_bucket *bucket, size_t item)
{
	struct format_commands *commands = work->commands;
	struct base_str *text = &commands->texts[work->section];
	int32_t id = bucket->items[item].id;

	if (work->pool.text[0] == '\0')
		base_str_add(text, "ceph osd crush weight-set reweight-compat ");
	else
		base_str_addf(text, "ceph osd crush weight-set reweight %s ",
			      work->pool.text);
	if (id >= 0)
		base_str_addf(text, "osd.%d", (int)id);
	else
		base_str_add(
			text,
			format_quote_name(
				commands,
				strew_map_bucket_by_id(commands->after.map, id)->name)
				.text);
	for (size_t i = 0; i < work->positions; i++)
		base_str_addf(
			text, " %s",
			format_fixed(map_weight_in(work->is, bucket, item, i)).text);
	base_str_add(text, "\n");
}

static bool is_changed(const struct work *work, const strew_bucket *bucket, size_t item)
{
	if (work->all && bucket->items[item].id >= 0)
		return true;
	for (size_t i = 0; i < work->positions; i++)
		if (follows(work, bucket, item, i) !=
		    map_weight_in(work->is, bucket, item, i))
			return true;
	return false;
}

static void weigh_bucket(struct work *work, const strew_bucket *bucket)
{
	const strew_map *map = work->commands->after.map;
	size_t index = (size_t)(bucket - map->buckets);

	work->changed[index] = work->commands->touched[index];
	for (size_t i = 0; i < bucket->item_count; i++) {
		int64_t child = bucket->items[i].id < 0
					? map_bucket_index(map, bucket->items[i].id)
					: -1;

		if (child >= 0 && work->changed[child])
			work->changed[index] = true;
		if (!is_changed(work, bucket, i))
			continue;
		weigh_item(work, bucket, i);
		work->changed[index] = true;
		if (format_hangs_of(&work->commands->after, bucket->items[i].id).count >
		    1)
			format_tally(&work->several, bucket->name);
	}
}

static void drop_set(struct work *work)
{
	if (work->pool.text[0] == '\0')
		format_command(work->commands, work->section,
			       "osd crush weight-set rm-compat");
	else
		format_command(work->commands, work->section,
			       "osd crush weight-set rm %s", work->pool.text);
}

/* @return false when no command makes it */
static bool make_set(struct work *work)
{
	const strew_pool *pool =
		strew_map_pool_by_id(work->commands->after.map, work->is->id);

	if (pool == NULL && work->positions == 1) {
		format_command(work->commands, work->section,
			       "osd crush weight-set create-compat");
		return true;
	}
	if (pool == NULL ||
	    (work->positions != 1 && (int)work->positions != pool->size)) {
		format_command_lose(
			work->commands,
			"the weight set %s, which has %zu rows for each bucket",
			work->is->name, work->positions);
		return false;
	}
	format_command(work->commands, work->section, "osd crush weight-set create %s %s",
		       work->pool.text, work->positions == 1 ? "flat" : "positional");
	return true;
}

/* Do both hash the same ids for the same buckets? */
static bool has_same_ids(const struct work *work, const strew_bucket *bucket)
{
	const struct map_weights *is = map_weights_of(work->is, bucket->id);
	const strew_bucket *old = format_other(&work->commands->after, bucket);
	const struct map_weights *was = old ? map_weights_of(work->was, old->id) : NULL;
	const int32_t *ids = is ? is->ids : NULL, *old_ids = was ? was->ids : NULL;

	if (ids == NULL || old_ids == NULL)
		return ids == old_ids;
	return bucket->item_count == old->item_count &&
	       memcmp(ids, old_ids, bucket->item_count * sizeof(*ids)) == 0;
}

static void check_ids(struct work *work)
{
	const struct format_side *after = &work->commands->after;
	struct format_tally tally = {.count = 0};

	for (size_t i = 0; i < after->order_count; i++) {
		const strew_bucket *bucket = &after->map->buckets[after->order[i]];

		if (!has_same_ids(work, bucket))
			format_tally(&tally, bucket->name);
	}
	format_tally_lose(work->commands, &tally,
			  "the ids that a weight set has for items of bucket");
}

/* Ceph 16 clears all rows but the last of the shadows when it makes their trees anew. */
static bool must_set_all(const struct work *work)
{
	const strew_map *map = work->commands->after.map;

	if (work->positions < 2 || !work->commands->reshaped)
		return false;
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of != 0)
			return true;
	return false;
}

static void weigh_all(struct work *work)
{
	const struct format_side *after = &work->commands->after;

	work->all = must_set_all(work);

	if (work->was && map_positions(work->was) != work->positions) {
		drop_set(work);
		work->was = NULL;
	}
	if (work->was == NULL && !make_set(work))
		return;
	for (size_t i = after->order_count; i-- > 0;)
		weigh_bucket(work, &after->map->buckets[after->order[i]]);
	format_tally_lose(work->commands, &work->several,
			  "weights in a weight set of items that hang elsewhere too, of "
			  "bucket");
	check_ids(work);
}

/* The set's pool by name, which is "" for the compat set. @return false when no pool of
 * the map has this set */
static bool name_pool(struct work *work, const strew_map *map, int64_t id)
{
	const strew_pool *pool = strew_map_pool_by_id(map, id);

	work->pool.text[0] = '\0';
	if (pool)
		work->pool = format_quote(work->commands, pool->name);
	return pool || id == -1;
}

static void weigh_set(struct work *work, const struct map_weight_set *set)
{
	struct format_commands *commands = work->commands;
	size_t count = commands->after.map->bucket_count;

	work->was = map_weight_set_by_id(commands->before.map, set->id);
	work->is = set;
	work->several = (struct format_tally){.count = 0};
	work->positions = map_positions(set);
	if (!name_pool(work, commands->after.map, set->id)) {
		format_command_lose(commands,
				    "the weight set %s, for a pool that isn't known here",
				    set->name);
		return;
	}
	if (count == 0)
		return;
	work->changed = base_calloc(commands->allocator, count, sizeof(*work->changed));
	if (work->changed)
		weigh_all(work);
	else
		commands->failed = true;
	base_free(commands->allocator, work->changed, count * sizeof(*work->changed));
}

static bool is_of_new_pool(const struct format_commands *commands,
			   const struct map_weight_set *set)
{
	return strew_map_pool_by_id(commands->after.map, set->id) != NULL &&
	       strew_map_pool_by_id(commands->before.map, set->id) == NULL;
}

void format_commands_drop_sets(struct format_commands *commands)
{
	const strew_map *before = commands->before.map;
	struct work work = {.commands = commands, .section = FORMAT_CRUSH};

	for (size_t i = 0; i < before->weight_set_count; i++) {
		int64_t id = before->weight_sets[i].id;

		if (map_weight_set_by_id(commands->after.map, id) == NULL &&
		    name_pool(&work, before, id))
			drop_set(&work);
	}
}

void format_commands_weight_sets(struct format_commands *commands,
				 enum format_section section)
{
	const strew_map *after = commands->after.map;
	struct work work = {.commands = commands, .section = section};

	for (size_t i = 0; i < after->weight_set_count; i++) {
		const struct map_weight_set *set = &after->weight_sets[i];

		if (is_of_new_pool(commands, set) == (section == FORMAT_CLUSTER))
			weigh_set(&work, set);
	}
}
