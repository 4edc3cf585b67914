/* SPDX-License-Identifier: MIT */
#include "analyze_upmap_priv.h"

#include "rule.h"

/**
 * Whether a set is one that a rule could give, as the monitor judges it. Steps that
 * choose leaves must not find two devices in one bucket of their type, other steps no
 * more buckets than they choose, and an emit takes the next devices, as many as its steps
 * multiply to, which must be below its take. Buckets are those of the trees that are
 * taken: a host's shadows for two classes are two.
 */

static bool names_buckets(const struct map_step *step)
{
	return map_op_chooses((int)step->op) && step->arg2 > 0;
}

static size_t find_type(const struct upmap_rule *rule, int32_t type)
{
	size_t at = 0;

	while (at < rule->type_count && rule->types[at] != type)
		at++;
	return at;
}

static void list_types(struct upmap_rule *out)
{
	for (size_t i = 0; i < out->rule->step_count; i++) {
		const struct map_step *step = &out->rule->steps[i];

		out->take_count += step->op == STREW_OP_TAKE;
		if (names_buckets(step) && find_type(out, step->arg2) == out->type_count)
			out->types[out->type_count++] = step->arg2;
	}
}

/* The working memory of walks down from takes, by bucket. */
struct walk {
	const struct analyze_tree *tree;
	struct upmap_rule *rule;
	bool *reached;
	uint32_t *nearest; /* of a type, at the bucket or above */
};

static void walk_down(struct walk *walk, uint32_t taken)
{
	const struct analyze_tree *tree = walk->tree;
	size_t buckets = tree->map->bucket_count;

	for (size_t i = 0; i < buckets; i++)
		walk->reached[i] = i == taken;
	for (size_t i = 0; i < buckets; i++) {
		uint32_t bucket = tree->order[i];

		if (!walk->reached[bucket])
			continue;
		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1]; at++)
			if (tree->items[at] < 0)
				walk->reached[-1 - tree->items[at]] = true;
	}
}

static void note_devices(struct walk *walk, size_t take)
{
	const struct analyze_tree *tree = walk->tree;
	const strew_map *map = tree->map;
	bool *below = walk->rule->below + take * map->device_count;

	for (size_t i = 0; i < map->bucket_count; i++) {
		for (size_t j = 0; walk->reached[i] && j < map->buckets[i].item_count;
		     j++) {
			int32_t item = tree->items[tree->first[i] + j];

			if (item < 0)
				continue;
			below[item] = true;
			walk->rule->weighs[item] |= map->buckets[i].items[j].weight > 0;
		}
	}
}

/* The first take that has a device, and a bucket of the type above it, decides. */
static void note_parents(struct walk *walk, size_t type, uint32_t taken)
{
	const struct analyze_tree *tree = walk->tree;
	const strew_map *map = tree->map;
	uint32_t *parents = walk->rule->parents + type * map->device_count;

	for (size_t i = 0; i < map->bucket_count; i++)
		walk->nearest[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];

		if (!walk->reached[bucket] && bucket != taken)
			continue;
		if (map->buckets[bucket].type == walk->rule->types[type])
			walk->nearest[bucket] = bucket;
		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			int32_t item = tree->items[at];
			uint32_t *known =
				item < 0 ? &walk->nearest[-1 - item] : &parents[item];

			if (*known == ANALYZE_NOWHERE)
				*known = walk->nearest[bucket];
		}
	}
}

static void walk_takes(struct walk *walk)
{
	const strew_map *map = walk->tree->map;
	const struct map_rule *rule = walk->rule->rule;
	size_t take = 0;

	for (size_t i = 0; i < rule->step_count; i++) {
		int64_t bucket, device;

		if (rule->steps[i].op != STREW_OP_TAKE)
			continue;
		bucket = map_bucket_index(map, rule->steps[i].arg1);
		device = map_device_index(map, rule->steps[i].arg1);
		if (bucket >= 0) {
			walk_down(walk, (uint32_t)bucket);
			note_devices(walk, take);
			for (size_t j = 0; j < walk->rule->type_count; j++)
				note_parents(walk, j, (uint32_t)bucket);
		} else if (device >= 0) {
			walk->rule->below[take * map->device_count + (size_t)device] =
				true;
			walk->rule->weighs[device] = true;
		}
		take++;
	}
}

static bool alloc_rule(struct upmap_rule *out, const strew_map *map,
		       const strew_allocator *allocator)
{
	size_t devices = map->device_count;

	out->types =
		base_alloc(allocator, out->rule->step_count + 1, sizeof(*out->types));
	if (out->types == NULL)
		return false;
	list_types(out);
	out->below = base_calloc(allocator, out->take_count * devices + 1,
				 sizeof(*out->below));
	out->parents = base_alloc(allocator, out->type_count * devices + 1,
				  sizeof(*out->parents));
	out->weighs = base_calloc(allocator, devices + 1, sizeof(*out->weighs));
	for (size_t i = 0; out->parents && i < out->type_count * devices; i++)
		out->parents[i] = ANALYZE_NOWHERE;
	return out->below && out->parents && out->weighs;
}

double analyze_upmap_rule_work(const struct analyze_tree *tree,
			       const struct map_rule *rule)
{
	size_t buckets = tree->map->bucket_count;
	double takes = 0, choices = 0;

	for (size_t i = 0; i < rule->step_count; i++) {
		takes += rule->steps[i].op == STREW_OP_TAKE;
		choices += names_buckets(&rule->steps[i]);
	}
	return takes * (choices + 2) * (double)(buckets + tree->first[buckets]);
}

strew_status analyze_upmap_rule_new(struct upmap_rule *out,
				    const struct analyze_tree *tree,
				    const struct map_rule *rule,
				    const strew_allocator *allocator)
{
	size_t buckets = tree->map->bucket_count;
	struct walk walk = {.tree = tree, .rule = out};
	bool ok;

	*out = (struct upmap_rule){.rule = rule};
	walk.reached = base_calloc(allocator, buckets + 1, sizeof(*walk.reached));
	walk.nearest = base_calloc(allocator, buckets + 1, sizeof(*walk.nearest));
	ok = walk.reached && walk.nearest && alloc_rule(out, tree->map, allocator);
	if (ok)
		walk_takes(&walk);
	else
		analyze_upmap_rule_free(out, tree->map, allocator);
	base_free(allocator, walk.reached, (buckets + 1) * sizeof(*walk.reached));
	base_free(allocator, walk.nearest, (buckets + 1) * sizeof(*walk.nearest));
	return ok ? STREW_OK : STREW_ENOMEM;
}

void analyze_upmap_rule_free(struct upmap_rule *rule, const strew_map *map,
			     const strew_allocator *allocator)
{
	size_t devices = map->device_count;

	if (rule->rule == NULL)
		return;
	base_free(allocator, rule->types,
		  (rule->rule->step_count + 1) * sizeof(*rule->types));
	base_free(allocator, rule->below,
		  (rule->take_count * devices + 1) * sizeof(*rule->below));
	base_free(allocator, rule->parents,
		  (rule->type_count * devices + 1) * sizeof(*rule->parents));
	base_free(allocator, rule->weighs, (devices + 1) * sizeof(*rule->weighs));
	*rule = (struct upmap_rule){.rule = NULL};
}

struct verifying {
	const struct upmap_rule *rule;
	const strew_map *map;
	const int32_t *devices;
	int count;
	struct analyze_upmap *why;
};

static int64_t index_of(const struct verifying *verifying, int at)
{
	return map_device_index(verifying->map, verifying->devices[at]);
}

static uint32_t parent_of(const struct verifying *verifying, size_t type, int at)
{
	int64_t index = index_of(verifying, at);

	if (index < 0)
		return ANALYZE_NOWHERE;
	return verifying->rule
		->parents[type * verifying->map->device_count + (size_t)index];
}

/* A device that is there twice is one. @return the place of another device in the same
 * bucket, before this one; below 0: none */
static int find_neighbour(const struct verifying *verifying, size_t type, int at)
{
	uint32_t parent = parent_of(verifying, type, at);

	for (int i = 0; i < at && parent != ANALYZE_NOWHERE; i++)
		if (parent_of(verifying, type, i) == parent &&
		    verifying->devices[i] != verifying->devices[at])
			return i;
	return -1;
}

static bool refuse(const struct verifying *verifying, enum analyze_upmap_reason reason,
		   int device, int other, int32_t bucket)
{
	struct analyze_upmap *why = verifying->why;

	why->fate = ANALYZE_UPMAP_GOES;
	why->reason = reason;
	why->device = device < 0 ? STREW_NONE : verifying->devices[device];
	why->other = other < 0 ? STREW_NONE : verifying->devices[other];
	why->bucket = bucket;
	return false;
}

static bool verify_leaves(const struct verifying *verifying, size_t type)
{
	for (int i = 0; i < verifying->count; i++) {
		int other = find_neighbour(verifying, type, i);
		uint32_t parent = parent_of(verifying, type, i);

		if (other >= 0)
			return refuse(verifying, ANALYZE_UPMAP_SAME_DOMAIN, i, other,
				      verifying->map->buckets[parent].id);
	}
	return true;
}

static bool verify_buckets(const struct verifying *verifying, size_t type, uint32_t most)
{
	uint32_t buckets = 0;

	for (int i = 0; i < verifying->count; i++) {
		uint32_t parent = parent_of(verifying, type, i);
		bool known = parent == ANALYZE_NOWHERE;

		for (int j = 0; j < i; j++)
			known |= parent_of(verifying, type, j) == parent;
		buckets += !known;
	}
	return buckets <= most || refuse(verifying, ANALYZE_UPMAP_MANY_DOMAINS, -1, -1,
					 verifying->rule->types[type]);
}

static bool verify_step(const struct verifying *verifying, const struct map_step *step,
			uint32_t ranks)
{
	size_t type = find_type(verifying->rule, step->arg2);

	if (!names_buckets(step))
		return true;
	return map_op_leaf((int)step->op) ? verify_leaves(verifying, type)
					  : verify_buckets(verifying, type, ranks);
}

static bool verify_emit(const struct verifying *verifying, size_t take, int32_t id,
			int first, int end)
{
	for (int i = first; i < end && i < verifying->count; i++) {
		int64_t index = index_of(verifying, i);

		if (index < 0 ||
		    !verifying->rule
			     ->below[take * verifying->map->device_count + (size_t)index])
			return refuse(verifying, ANALYZE_UPMAP_OUTSIDE, i, -1, id);
	}
	return true;
}

/* How far an emit's devices reach. */
static int end_of(int first, uint64_t places, int count)
{
	return places < (uint64_t)(count - first) ? first + (int)places : count;
}

bool analyze_upmap_verify(struct analyze_upmap *why, const struct upmap_rule *rule,
			  const strew_map *map, int size, const int32_t *devices,
			  int count)
{
	struct verifying verifying = {rule, map, devices, count, why};
	const struct map_step *taken = NULL;
	uint64_t places = 1;
	size_t take = 0;
	int first = 0;

	for (size_t i = 0; i < rule->rule->step_count; i++) {
		const struct map_step *step = &rule->rule->steps[i];

		if (step->op == STREW_OP_TAKE) {
			taken = step;
			take++;
		} else if (map_op_chooses((int)step->op)) {
			uint32_t ranks = rule_count_ranks(step->arg1, size);

			places = places * ranks < STREW_WANT_MAX ? places * ranks
								 : STREW_WANT_MAX;
			if (!verify_step(&verifying, step, ranks))
				return false;
		} else if (step->op == STREW_OP_EMIT) {
			int end = end_of(first, places, count);

			if (taken && taken->arg1 < 0 &&
			    !verify_emit(&verifying, take - 1, taken->arg1, first, end))
				return false;
			first = end;
			places = 1;
			taken = NULL;
		}
	}
	return true;
}
