/* SPDX-License-Identifier: MIT */
/* What the commands for the tree come to, and where that isn't the map they are for. */
#include <string.h>

#include "format_ceph_commands.h"

static bool is_touched(const struct format_commands *commands, const strew_bucket *bucket)
{
	return commands->touched[bucket - commands->after.map->buckets];
}

/* The weight that a bucket inside another one comes to have there. */
static uint32_t weight_of_child(const struct format_commands *commands,
				const strew_bucket *parent, const strew_bucket *child)
{
	struct format_hangs was = format_hangs_before(commands, child->id);
	const struct format_hang *hang = format_hang_in(
		&commands->before, was, format_other(&commands->after, parent));

	if (hang == NULL || is_touched(commands, child))
		return child->weight;
	return commands->before.map->buckets[hang->bucket].items[hang->at].weight;
}

/* The weight that an item comes to have; a device's is set as it is, as a float. */
static bool has_other_weight(const struct format_commands *commands,
			     const strew_bucket *bucket, size_t at)
{
	const struct map_item *item = &bucket->items[at];
	const strew_bucket *was = format_other(&commands->after, bucket);
	const struct format_hang *hang;

	if (item->id < 0)
		return item->weight !=
		       weight_of_child(
			       commands, bucket,
			       strew_map_bucket_by_id(commands->after.map, item->id));
	if (format_fixed_is_exact(item->weight))
		return false;
	hang = format_hang_in(&commands->before, format_hangs_before(commands, item->id),
			      was);
	return hang == NULL || was->items[hang->at].weight != item->weight;
}

static void check_weights(const struct format_commands *commands,
			  const strew_bucket *bucket, struct format_tally *tally)
{
	const strew_bucket *was = format_other(&commands->after, bucket);
	uint32_t own = was ? was->weight : 0;
	bool differs;

	if (is_touched(commands, bucket))
		own = (uint32_t)map_item_sum(bucket);
	differs = own != bucket->weight;
	for (size_t i = 0; i < bucket->item_count && !differs; i++)
		differs = has_other_weight(commands, bucket, i);
	if (differs)
		format_tally(tally, bucket->name);
}

/* What stays keeps its order; what comes is added behind. A straw2 bucket draws for each
 * item by itself: there the order decides nothing. */
static void check_order(const struct format_commands *commands,
			const strew_bucket *bucket, struct format_tally *tally)
{
	const strew_bucket *was = format_other(&commands->after, bucket);
	int64_t last = -1;

	if (strcmp(bucket->alg, "straw2") == 0)
		return;
	for (size_t i = 0; was && i < bucket->item_count; i++) {
		struct format_hangs hangs =
			format_hangs_before(commands, bucket->items[i].id);
		const struct format_hang *hang =
			format_hang_in(&commands->before, hangs, was);
		int64_t at = hang ? (int64_t)hang->at : INT64_MAX;

		if (at < last) {
			format_tally(tally, bucket->name);
			return;
		}
		last = at;
	}
}

struct tree_tallies {
	struct format_tally types, algs, hashes, weights, order;
};

bool format_drops_straw(const struct format_commands *commands)
{
	const strew_map *map = commands->after.map;
	bool drops = false;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];
		const strew_bucket *was = format_other(&commands->after, bucket);

		if (strcmp(bucket->alg, "straw") == 0)
			return false;
		drops = drops || (was && strcmp(was->alg, "straw") == 0);
	}
	return drops;
}

/* The cluster makes new buckets of the best algorithm that its tunables allow. */
static const char *usual_alg(const strew_map *map)
{
	static const char *const words[] = {"straw2", "straw", "tree", "list"};

	for (unsigned i = 0; i < 4; i++)
		if (map->tunables.allowed_bucket_algs & (1u << (5 - i)))
			return words[i];
	return "uniform";
}

static bool changes_alg(const struct format_commands *commands,
			const strew_bucket *bucket, bool drops_straw)
{
	const strew_bucket *was = format_other(&commands->after, bucket);
	const char *alg = was ? was->alg : usual_alg(commands->after.map);

	if (was && drops_straw && strcmp(alg, "straw") == 0)
		alg = "straw2";
	return strcmp(bucket->alg, alg) != 0;
}

static void check_bucket(const struct format_commands *commands,
			 const strew_bucket *bucket, bool drops_straw,
			 struct tree_tallies *tallies)
{
	const strew_bucket *was = format_other(&commands->after, bucket);

	if (was && strcmp(format_type_of(&commands->before, was),
			  format_type_of(&commands->after, bucket)) != 0)
		format_tally(&tallies->types, bucket->name);
	if (changes_alg(commands, bucket, drops_straw))
		format_tally(&tallies->algs, bucket->name);
	if (bucket->hash != (was ? was->hash : 0))
		format_tally(&tallies->hashes, bucket->name);
	check_weights(commands, bucket, &tallies->weights);
	check_order(commands, bucket, &tallies->order);
}

/* A name or a number of a type that differs. */
static void check_types(struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;
	bool same = before->type_count == after->type_count;

	for (size_t i = 0; same && i < after->type_count; i++)
		same = before->types[i].id == after->types[i].id &&
		       strcmp(before->types[i].name, after->types[i].name) == 0;
	if (!same)
		format_command_lose(commands, "the list of types");
}

void format_commands_check_tree(struct format_commands *commands)
{
	const strew_map *map = commands->after.map;
	bool drops_straw = format_drops_straw(commands);
	struct tree_tallies tallies = {.types.count = 0};

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			check_bucket(commands, &map->buckets[i], drops_straw, &tallies);
	check_types(commands);
	format_tally_lose(commands, &tallies.types, "another type of bucket");
	format_tally_lose(commands, &tallies.algs, "the algorithm of bucket");
	format_tally_lose(commands, &tallies.hashes, "the hash of bucket");
	format_tally_lose(commands, &tallies.weights,
			  "weights, too fine or no sums, of bucket");
	format_tally_lose(commands, &tallies.order, "the order of items of bucket");
	if (tallies.types.count > 0)
		commands->blocked = true;
}
