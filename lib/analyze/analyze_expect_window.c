/* SPDX-License-Identifier: MIT */
#include "analyze_expect_priv.h"

#include <string.h>

/* What a step can draw below one bucket, and at which rates. */

static const strew_bucket *bucket_of(const struct expect_window *window,
				     const struct expect_node *node)
{
	return &window->expect->share->tree->map->buckets[-1 - node->item];
}

static bool is_uniform(const strew_bucket *bucket)
{
	return strcmp(bucket->alg, "uniform") == 0;
}

/* NULL: the bucket has the weights of the tree. */
static const struct map_weights *weights_in(const struct expect_window *window,
					    const strew_bucket *bucket)
{
	const struct map_weight_set *set = window->expect->share->set;
	const struct map_weights *found = set ? map_weights_of(set, bucket->id) : NULL;

	return found && found->positions > 0 ? found : NULL;
}

/* Do positions differ in the bucket? */
static bool varies(const struct map_weights *weights, const strew_bucket *bucket)
{
	size_t count = bucket->item_count;

	for (size_t i = 1; weights && i < weights->positions; i++) {
		if (memcmp(weights->rows, weights->rows + i * count,
			   count * sizeof(*weights->rows)) != 0)
			return true;
	}
	return false;
}

/* In a uniform bucket draws are a permutation: different items first. That is the same
 * law where each is a domain of its own, and no matter where only one is drawn. */
static void judge_uniform(struct expect_window *window, const struct expect_node *node)
{
	window->is_uniform = true;
	if (node->domain == ANALYZE_NOWHERE && node != window->expect->nodes)
		window->is_shuffled = true;
}

static void judge_weights(struct expect_window *window, const struct expect_node *node,
			  const strew_bucket *bucket)
{
	if (!varies(weights_in(window, bucket), bucket))
		return;
	/* Above the domains indep uses the first position for all. */
	if (!window->step->is_indep)
		window->is_varied = true;
	else if (node->domain != ANALYZE_NOWHERE)
		analyze_expect_refuse(window->expect,
				      "its weight set differs by position");
}

static void judge_bucket(struct expect_window *window, const struct expect_node *node)
{
	const strew_bucket *bucket = bucket_of(window, node);
	bool sums = strcmp(bucket->alg, "list") == 0 || strcmp(bucket->alg, "tree") == 0;

	if (bucket->hash != 0)
		analyze_expect_refuse(window->expect, "a bucket has another hash");
	if (is_uniform(bucket))
		judge_uniform(window, node);
	else if (strcmp(bucket->alg, "straw2") == 0)
		judge_weights(window, node, bucket);
	else if (!sums || bucket->table)
		analyze_expect_refuse(window->expect,
				      "it draws from buckets that don't follow weights "
				      "exactly");
}

static void add_node(struct expect_window *window, const struct expect_node *parent,
		     int32_t item)
{
	struct expect *expect = window->expect;
	const strew_map *map = expect->share->tree->map;
	int32_t type = item >= 0 ? 0 : map->buckets[-1 - item].type;
	struct expect_node *node = &expect->nodes[window->node_count];

	*node = (struct expect_node){.item = item, .domain = parent->domain};
	if (node->domain == ANALYZE_NOWHERE && type == window->step->type) {
		node->domain = window->node_count;
		node->number = window->domain_count;
		expect->domains[window->domain_count++] = window->node_count;
	}
	window->node_count++;
}

/* Below two buckets an item is drawn from both, and a device could be chosen twice. */
static bool is_new(struct expect *expect, int32_t item)
{
	bool *seen = &expect->seen[analyze_expect_index(expect, item)];

	if (*seen)
		analyze_expect_refuse(expect, "an item hangs in several places");
	*seen = true;
	return expect->reason == NULL;
}

/* What a weight set may put in place of the items' ids. */
static void note_ids(struct expect *expect, const strew_bucket *bucket)
{
	const struct map_weight_set *set = expect->share->set;
	const struct map_weights *found = set ? map_weights_of(set, bucket->id) : NULL;

	for (size_t i = 0; i < bucket->item_count; i++) {
		int32_t own = bucket->items[i].id;
		int32_t id = found && found->ids ? found->ids[i] : own;

		expect->hashed[expect->hashed_count++] = id;
		expect->has_ids = expect->has_ids || id != own;
	}
}

static void open_bucket(struct expect_window *window, struct expect_node *node)
{
	const struct analyze_tree *tree = window->expect->share->tree;
	size_t bucket = (size_t)(-1 - node->item);

	judge_bucket(window, node);
	node->first = window->node_count;
	for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1]; at++) {
		if (!is_new(window->expect, tree->items[at]))
			return;
		add_node(window, node, tree->items[at]);
	}
	note_ids(window->expect, bucket_of(window, node));
	node->count = window->node_count - node->first;
	if (node == window->expect->nodes && is_uniform(bucket_of(window, node)) &&
	    window->domain_count < node->count)
		window->is_shuffled = true;
}

void analyze_expect_open(struct expect_window *window, uint32_t bucket)
{
	struct expect *expect = window->expect;

	expect->nodes[0] = (struct expect_node){.item = -1 - (int32_t)bucket,
						.domain = ANALYZE_NOWHERE};
	window->node_count = 1;
	for (uint32_t i = 0; i < window->node_count && !expect->reason; i++) {
		struct expect_node *node = &expect->nodes[i];

		if (node->item < 0 &&
		    (node->domain == ANALYZE_NOWHERE || window->step->is_leaf))
			open_bucket(window, node);
	}
}

static double weight_of(const strew_bucket *bucket, const struct map_weights *set,
			uint32_t position, size_t slot)
{
	size_t row = position;

	if (is_uniform(bucket))
		return 1;
	if (set == NULL)
		return bucket->items[slot].weight;
	if (row >= set->positions)
		row = set->positions - 1;
	return set->rows[row * bucket->item_count + slot];
}

static void rate_bucket(struct expect_window *window, const struct expect_node *node,
			uint32_t position)
{
	const strew_bucket *bucket = bucket_of(window, node);
	const struct map_weights *set = weights_in(window, bucket);
	struct expect_node *items = window->expect->nodes + node->first;
	double total = 0;

	for (uint32_t i = 0; i < node->count; i++)
		total += weight_of(bucket, set, position, i);
	for (uint32_t i = 0; i < node->count; i++)
		items[i].rate =
			total > 0
				? node->rate * weight_of(bucket, set, position, i) / total
				: 0;
	for (uint32_t i = 0; i < node->count; i++) {
		/* So the reference divides: by a signed weight. */
		if (weight_of(bucket, set, position, i) > INT32_MAX)
			analyze_expect_refuse(window->expect,
					      "it comes to a weight of 32768 or more");
	}
	/* Where nothing weighs anything it is always the first one. */
	if (!(total > 0))
		items[0].rate = node->rate;
	if (!(total > 0) && node->rate > 0 && strcmp(bucket->alg, "straw2") != 0)
		analyze_expect_refuse(window->expect,
				      "it comes to a bucket without weights");
}

static void judge_device(struct expect_window *window, const struct expect_node *node)
{
	if (node->domain == ANALYZE_NOWHERE)
		analyze_expect_refuse(window->expect,
				      "it comes to devices where it asks for buckets");
	if (analyze_reweight(window->expect->share, (size_t)node->item) < 1)
		window->has_outs = true;
}

void analyze_expect_rate(struct expect_window *window, uint32_t position)
{
	struct expect_node *nodes = window->expect->nodes;

	nodes[0].rate = 1;
	for (uint32_t i = 0; i < window->node_count; i++) {
		if (nodes[i].count > 0)
			rate_bucket(window, &nodes[i], position);
		else if (!(nodes[i].rate > 0))
			continue;
		else if (nodes[i].item >= 0)
			judge_device(window, &nodes[i]);
		else if (nodes[i].domain != ANALYZE_NOWHERE && window->step->is_leaf)
			window->has_outs = true; /* an empty one */
	}
}
