/* SPDX-License-Identifier: MIT */
/* What a binary CRUSH map can't hold. */
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "format_crush_bin_write.h"

/* The nodes of a tree are counted in one byte, and are a power of two. */
#define TREE_ITEMS_MAX 64

/* What Ceph has no number for. */
static strew_status check_bucket(const strew_bucket *bucket, strew_error *error)
{
	if (format_bin_alg(bucket->alg) == 0)
		return base_error_set(
			error, STREW_ENOTSUP,
			"bucket %.96s (id %d) has the selector %.64s, which "
			"Ceph does not have; a binary CRUSH map can hold "
			"uniform, list, tree, straw and straw2",
			bucket->name, (int)bucket->id, bucket->alg);
	if (strcmp(bucket->alg, "tree") == 0 && bucket->item_count > TREE_ITEMS_MAX)
		return base_error_set(error, STREW_ENOTSUP,
				      "the tree bucket %.96s (id %d) has %zu items; in a "
				      "binary CRUSH map one can have %d",
				      bucket->name, (int)bucket->id, bucket->item_count,
				      TREE_ITEMS_MAX);
	return STREW_OK;
}

/* A uniform bucket has one weight for all items. */
static void lose_weights(struct format_losses *losses, const strew_bucket *bucket)
{
	for (size_t i = 1; i < bucket->item_count; i++) {
		if (bucket->items[i].weight == bucket->items[0].weight)
			continue;
		format_lose(
			losses,
			"the weights of the items of the uniform bucket %.96s (id %d), "
			"which differ; the first is written for all",
			bucket->name, (int)bucket->id);
		return;
	}
}

static void lose_masks(struct format_losses *losses, const strew_map *map)
{
	const struct format_dialect *dialect = losses->output->dialect;

	for (size_t i = 0; i < map->rule_count && !dialect->has_masks; i++)
		if (format_mask_tells(&map->rules[i]))
			format_lose(losses,
				    "ruleset, min_size and max_size of rule %d, which %s "
				    "does not have",
				    (int)map->rules[i].id, dialect->name);
}

strew_status format_bin_lose(struct format_losses *losses, const strew_map *map,
			     strew_error *error)
{
	strew_status status = STREW_OK;

	for (size_t i = 0; i < map->bucket_count && status == STREW_OK; i++)
		status = check_bucket(&map->buckets[i], error);
	if (status != STREW_OK)
		return status;
	format_lose_cluster(losses, map);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (strcmp(map->buckets[i].alg, "uniform") == 0)
			lose_weights(losses, &map->buckets[i]);
	format_lose_set_names(losses, map);
	lose_masks(losses, map);
	return STREW_OK;
}
