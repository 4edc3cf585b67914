/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <stdlib.h>
#include <string.h>

/**
 * What a rule can do at best and at worst, whatever is drawn: how many places can be
 * filled, and how many shards can come to one bucket. Each block is gone through from its
 * last step to its first, so that what a domain gives is known when those above are.
 */

/* A domain that a step can choose below a bucket, its owner. */
struct domain {
	uint32_t owner;
	uint32_t low, high; /* places that it gives */
};

/* The steps of a block that choose. */
struct choice {
	int32_t type;
	uint32_t ranks;
	bool finds_devices;
	bool is_fixed; /* it says how many, whatever the size is */
};

struct shape {
	struct check_uses *uses;
	struct check_use *use;
	const strew_map *map;
	const struct analyze_tree *tree;
	const strew_allocator *allocator;
	struct base_vec choices, domains, above;
	uint32_t taken;
	uint32_t room;    /* that earlier blocks left */
	bool *holds;      /* by bucket: there is a device to be found */
	bool *drawn;      /* what is taken leads there */
	bool *under;      /* a bucket below a domain */
	uint32_t *own;    /* the owner that leads there */
	uint32_t *low[2]; /* what a bucket gives, by the next step and by this one */
	uint32_t *high[2];
	uint32_t *bounds; /* by bucket, then by device */
};

static uint32_t weight_of(const struct shape *shape, uint32_t bucket, size_t slot)
{
	return map_weight_in(shape->use->set, &shape->map->buckets[bucket], slot, 0);
}

static bool is_in(const struct shape *shape, int32_t device)
{
	return shape->map->devices[device].reweight > 0;
}

/* Shadows stand for the buckets that they are of. */
static uint32_t base_of(const struct shape *shape, uint32_t bucket)
{
	int32_t base = shape->map->buckets[bucket].shadow_of;
	int64_t index = base ? map_bucket_index(shape->map, base) : -1;

	return index < 0 ? bucket : (uint32_t)index;
}

static void find_holders(struct shape *shape)
{
	const struct analyze_tree *tree = shape->tree;

	for (size_t i = shape->map->bucket_count; i-- > 0;) {
		uint32_t bucket = tree->order[i];
		const int32_t *items = tree->items + tree->first[bucket];

		for (size_t j = 0; j < shape->map->buckets[bucket].item_count; j++) {
			bool can = items[j] < 0 ? shape->holds[-1 - items[j]]
						: is_in(shape, items[j]);

			shape->holds[bucket] |= can && weight_of(shape, bucket, j) > 0;
		}
	}
}

/* How many each bucket may get of what comes to it, and its devices. */
static void find_drawn(struct shape *shape)
{
	const struct analyze_tree *tree = shape->tree;

	memset(shape->drawn, 0, shape->map->bucket_count * sizeof(*shape->drawn));
	shape->drawn[shape->taken] = true;
	for (size_t i = 0; i < shape->map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];
		const int32_t *items = tree->items + tree->first[bucket];

		if (!shape->drawn[bucket])
			continue;
		for (size_t j = 0; j < shape->map->buckets[bucket].item_count; j++) {
			if (weight_of(shape, bucket, j) == 0)
				continue;
			if (items[j] < 0)
				shape->drawn[-1 - items[j]] = true;
			else
				shape->bounds[shape->map->bucket_count +
					      (size_t)items[j]]++;
		}
	}
}

static bool list_choices(struct shape *shape, const struct analyze_block *block)
{
	const struct map_step *step;
	size_t at = 0;

	shape->choices.count = 0;
	while ((step = analyze_next_choice(block, &at)) != NULL) {
		struct choice *choice =
			base_vec_push(&shape->choices, shape->allocator, sizeof(*choice));

		if (choice == NULL)
			return false;
		*choice = (struct choice){
			.type = step->arg2,
			.ranks = rule_count_ranks(step->arg1, shape->use->want),
			.finds_devices = analyze_finds_devices(step),
			.is_fixed = step->arg1 > 0};
	}
	return true;
}

static const struct choice *choice_at(const struct shape *shape, size_t index)
{
	return (const struct choice *)shape->choices.items + index;
}

/* Everything that the steps behind one ask for, in one of what it chooses. */
static uint32_t count_asked(const struct shape *shape, size_t from)
{
	uint64_t asked = 1;

	for (size_t i = from; i < shape->choices.count; i++) {
		asked *= choice_at(shape, i)->ranks;
		if (asked > shape->room)
			asked = shape->room;
	}
	return (uint32_t)asked;
}

static bool push(struct base_vec *list, const struct shape *shape,
		 const struct domain *domain)
{
	struct domain *added = base_vec_push(list, shape->allocator, sizeof(*added));

	if (added)
		*added = *domain;
	return added != NULL;
}

/* So high above anything no bucket is told apart: it may get all there is. */
static void fill_above(struct shape *shape, uint32_t at)
{
	uint32_t want = (uint32_t)shape->use->want;

	for (; at != ANALYZE_NOWHERE && shape->bounds[at] < want;
	     at = shape->tree->bucket_spots[at].bucket)
		shape->bounds[at] = want;
}

/* A domain's shards are those of the buckets between it and its owner, too. */
static bool note_above(struct shape *shape, const struct domain *domain, uint32_t at)
{
	uint32_t end = base_of(shape, domain->owner);
	struct domain above = *domain;

	for (int i = 0; at != ANALYZE_NOWHERE && at != end; i++) {
		above.owner = at;
		if (i == CHECK_LEVELS_MAX) {
			fill_above(shape, at);
			break;
		}
		if (!push(&shape->above, shape, &above))
			return false;
		at = shape->tree->bucket_spots[at].bucket;
	}
	return true;
}

static bool add_device(struct shape *shape, uint32_t owner, int32_t device)
{
	struct domain domain = {owner, 1, 1};

	return !is_in(shape, device) ||
	       (push(&shape->domains, shape, &domain) &&
		note_above(shape, &domain, shape->tree->device_spots[device].bucket));
}

/* What it gives is known from the step behind. */
static bool add_bucket(struct shape *shape, const struct choice *choice, uint32_t owner,
		       uint32_t bucket)
{
	struct domain domain = {owner, shape->low[0][bucket], shape->high[0][bucket]};
	uint32_t base = base_of(shape, bucket);
	bool is_last = choice == choice_at(shape, shape->choices.count - 1);

	if (choice->finds_devices) {
		if (!shape->holds[bucket])
			return true;
		domain.low = domain.high = is_last;
		shape->under[bucket] = true;
	}
	shape->bounds[base] += domain.high;
	return push(&shape->domains, shape, &domain) &&
	       note_above(shape, &domain, shape->tree->bucket_spots[base].bucket);
}

static bool add_item(struct shape *shape, const struct choice *choice, uint32_t bucket,
		     int32_t item)
{
	uint32_t child = (uint32_t)(-1 - item);

	if (item >= 0)
		return choice->type != 0 || shape->own[bucket] == ANALYZE_NOWHERE ||
		       add_device(shape, shape->own[bucket], item);
	if (shape->under[bucket]) {
		shape->under[child] = true;
		shape->bounds[base_of(shape, child)]++;
		return true;
	}
	if (shape->own[bucket] == ANALYZE_NOWHERE)
		return true;
	if (shape->map->buckets[child].type == choice->type)
		return add_bucket(shape, choice, shape->own[bucket], child);
	shape->own[child] = shape->own[bucket];
	return true;
}

static bool owns(const struct shape *shape, size_t index, uint32_t bucket)
{
	if (index == 0)
		return bucket == shape->taken;
	return shape->drawn[bucket] &&
	       shape->map->buckets[bucket].type == choice_at(shape, index - 1)->type;
}

static bool list_domains(struct shape *shape, size_t index)
{
	const struct analyze_tree *tree = shape->tree;
	size_t buckets = shape->map->bucket_count;

	shape->domains.count = shape->above.count = 0;
	memset(shape->under, 0, buckets * sizeof(*shape->under));
	for (size_t i = 0; i < buckets; i++)
		shape->own[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < buckets; i++) {
		uint32_t bucket = tree->order[i];
		const int32_t *items = tree->items + tree->first[bucket];

		if (owns(shape, index, bucket))
			shape->own[bucket] = bucket;
		if (shape->own[bucket] == ANALYZE_NOWHERE && !shape->under[bucket])
			continue;
		for (size_t j = 0; j < shape->map->buckets[bucket].item_count; j++) {
			if (weight_of(shape, bucket, j) > 0 &&
			    !add_item(shape, choice_at(shape, index), bucket, items[j]))
				return false;
		}
	}
	return true;
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_low(const void *left, const void *right)
{
	const struct domain *a = left, *b = right;
	int order = compare(a->owner, b->owner);

	return order ? order : compare(a->low, b->low);
}

static int compare_high(const void *left, const void *right)
{
	const struct domain *a = left, *b = right;
	int order = compare(a->owner, b->owner);

	return order ? order : compare(b->high, a->high);
}

static void sort(struct base_vec *domains, int (*order)(const void *, const void *))
{
	if (domains->count > 1)
		qsort(domains->items, domains->count, sizeof(struct domain), order);
}

static uint32_t at_most(uint64_t count, uint32_t most)
{
	return count < most ? (uint32_t)count : most;
}

/* Of each owner the first `ranks` domains, as they are sorted, into sums. */
static void sum_first(const struct base_vec *domains, uint32_t ranks, bool is_high,
		      uint32_t *sums, uint32_t most)
{
	const struct domain *all = domains->items;
	uint32_t taken = 0;

	for (size_t i = 0; i < domains->count; i++) {
		uint32_t *sum = &sums[all[i].owner];

		taken = i > 0 && all[i - 1].owner == all[i].owner ? taken + 1 : 1;
		if (taken <= ranks)
			*sum = at_most((uint64_t)*sum +
					       (is_high ? all[i].high : all[i].low),
				       most);
	}
}

/* Has an owner fewer than are asked for? The first step that lacks something is told, but
 * not one that asks for as many buckets as there are shards. */
static void look_for_lack(struct shape *shape, size_t index)
{
	struct check_room *room = &shape->use->room;
	const struct choice *choice = choice_at(shape, index);
	const struct domain *all = shape->domains.items;
	bool is_last = index + 1 == shape->choices.count;
	size_t next;

	for (size_t i = 0; i < shape->domains.count; i = next) {
		for (next = i + 1;
		     next < shape->domains.count && all[next].owner == all[i].owner;)
			next++;
		if (next - i >= choice->ranks || !(choice->is_fixed || is_last) ||
		    (room->wanted == choice->ranks && room->type == choice->type &&
		     room->found <= next - i))
			continue;
		*room = (struct check_room){
			room->asked,   room->most,           room->least, choice->type,
			choice->ranks, (uint32_t)(next - i), all[i].owner};
	}
	if (shape->domains.count == 0 && index == 0 && choice->ranks > 0)
		*room = (struct check_room){room->asked,  room->most,    room->least,
					    choice->type, choice->ranks, 0,
					    shape->taken};
}

static void swap(uint32_t *pair[2])
{
	uint32_t *first = pair[0];

	pair[0] = pair[1];
	pair[1] = first;
}

static bool go_through(struct shape *shape, size_t index)
{
	uint32_t ranks = choice_at(shape, index)->ranks;
	size_t size = shape->map->bucket_count * sizeof(**shape->low);

	if (!list_domains(shape, index))
		return false;
	memset(shape->low[1], 0, size);
	memset(shape->high[1], 0, size);
	sort(&shape->domains, compare_low);
	sum_first(&shape->domains, ranks, false, shape->low[1], shape->room);
	look_for_lack(shape, index);
	sort(&shape->domains, compare_high);
	sum_first(&shape->domains, ranks, true, shape->high[1], shape->room);
	sort(&shape->above, compare_high);
	sum_first(&shape->above, ranks, true, shape->bounds, (uint32_t)shape->use->want);
	swap(shape->low);
	swap(shape->high);
	return true;
}

/* Where the block puts all it has: in what is taken, and in what that is in. */
static void bound_taken(struct shape *shape, uint32_t at, uint32_t places)
{
	for (; at != ANALYZE_NOWHERE; at = shape->tree->bucket_spots[at].bucket)
		shape->bounds[at] += places;
}

static void end_block(struct shape *shape, uint32_t asked, uint32_t least, uint32_t most)
{
	struct check_room *room = &shape->use->room;

	room->asked += asked;
	room->least += at_most(least, asked);
	room->most += at_most(most, asked);
	shape->room -= asked;
}

static void promise(struct shape *shape)
{
	int32_t type = shape->uses->levels[shape->use->domain].type;

	for (size_t i = 0; i < shape->choices.count; i++) {
		uint32_t each = count_asked(shape, i + 1);

		if (type != 0 && choice_at(shape, i)->type == type &&
		    each > shape->use->promise)
			shape->use->promise = each;
	}
}

static void take_device(struct shape *shape, int32_t id)
{
	int64_t index = map_device_index(shape->map, id);

	if (index < 0)
		return;
	shape->bounds[shape->map->bucket_count + (size_t)index]++;
	bound_taken(shape, shape->tree->device_spots[index].bucket, 1);
	end_block(shape, 1, 1, 1);
}

static bool take_block(struct shape *shape, const struct analyze_block *block)
{
	int64_t index = map_bucket_index(shape->map, block->take->arg1);

	if (!list_choices(shape, block))
		return false;
	if (block->take->arg1 >= 0 && shape->choices.count == 0)
		take_device(shape, block->take->arg1);
	if (index < 0 || shape->choices.count == 0)
		return true;
	shape->taken = (uint32_t)index;
	find_drawn(shape);
	for (size_t i = shape->choices.count; i-- > 0;)
		if (!go_through(shape, i))
			return false;
	bound_taken(shape, base_of(shape, shape->taken), count_asked(shape, 0));
	promise(shape);
	end_block(shape, count_asked(shape, 0), shape->low[0][shape->taken],
		  shape->high[0][shape->taken]);
	return true;
}

static void keep_bounds(const struct shape *shape)
{
	const struct check_uses *uses = shape->uses;
	struct check_lie *lies = shape->use->lies;
	uint32_t want = (uint32_t)shape->use->want;

	for (size_t level = 0; level < uses->level_count; level++) {
		for (size_t i = 0; i < shape->map->device_count; i++) {
			uint32_t at = uses->levels[level].own[i];
			uint32_t bound = at == ANALYZE_NOWHERE ? 0 : shape->bounds[at];

			if (at != ANALYZE_NOWHERE && bound > lies[level].bound)
				lies[level].bound = at_most(bound, want);
		}
	}
}

static bool walk_rule(struct shape *shape)
{
	struct analyze_block block;
	size_t at = 0;

	find_holders(shape);
	while (shape->room > 0 && analyze_next_block(&block, shape->use->rule, &at))
		if (!take_block(shape, &block))
			return false;
	keep_bounds(shape);
	return true;
}

static bool alloc_shape(struct shape *shape, uint32_t **words, bool **flags)
{
	size_t buckets = shape->map->bucket_count;
	size_t count = 6 * buckets + shape->map->device_count + 1;

	*words = base_calloc(shape->allocator, count, sizeof(**words));
	*flags = base_calloc(shape->allocator, 3 * buckets + 1, sizeof(**flags));
	if (*words == NULL || *flags == NULL)
		return false;
	shape->own = *words;
	for (size_t i = 0; i < 2; i++) {
		shape->low[i] = *words + (1 + i) * buckets;
		shape->high[i] = *words + (3 + i) * buckets;
	}
	shape->bounds = *words + 5 * buckets;
	shape->holds = *flags;
	shape->drawn = *flags + buckets;
	shape->under = *flags + 2 * buckets;
	return true;
}

strew_status analyze_check_shape(struct check_uses *uses, struct check_use *use)
{
	struct check *check = uses->check;
	struct shape shape = {.uses = uses,
			      .use = use,
			      .map = check->map,
			      .tree = &check->tree,
			      .allocator = check->allocator,
			      .room = (uint32_t)use->want};
	size_t buckets = check->map->bucket_count;
	uint32_t *words = NULL;
	bool *flags = NULL;
	bool ok;

	use->promise = 1;
	ok = alloc_shape(&shape, &words, &flags) && walk_rule(&shape);
	base_vec_free(&shape.choices, shape.allocator);
	base_vec_free(&shape.domains, shape.allocator);
	base_vec_free(&shape.above, shape.allocator);
	base_free(shape.allocator, words,
		  (6 * buckets + check->map->device_count + 1) * sizeof(*words));
	base_free(shape.allocator, flags, (3 * buckets + 1) * sizeof(*flags));
	return ok ? STREW_OK : STREW_ENOMEM;
}
