/* SPDX-License-Identifier: MIT */
#include "plan.h"

/** How a map's trees are to look. */
struct shape {
	int fan_out;       /* the most items of a bucket */
	enum plan_alg alg; /* of every bucket; 0: mixed */
	int odd;           /* one item in so many is not of the level below; 0: none */
	int shared;        /* one device in so many hangs elsewhere already; 0: none */
};

static enum plan_alg choose_alg(struct plan *plan, const struct shape *shape)
{
	return shape->alg ? shape->alg : (enum plan_alg)(1 + plan_below(plan, 5));
}

/** A bucket that is in no other yet. @return NULL when there is no room. */
static struct plan_bucket *add_bucket(struct plan *plan, const struct shape *shape,
				      int level)
{
	struct plan_bucket *bucket;

	if (plan->bucket_count == PLAN_BUCKETS_MAX)
		return NULL;
	bucket = &plan->buckets[plan->bucket_count];
	bucket->id = -1 - plan->bucket_count * plan->bucket_stride;
	bucket->type = level;
	bucket->alg = choose_alg(plan, shape);
	bucket->hash = plan_once_in(plan, 200) ? 7 : 0;
	plan->bucket_count++;
	return bucket;
}

static bool holds(const struct plan_bucket *bucket, int32_t item)
{
	for (int i = 0; i < bucket->count; i++)
		if (bucket->items[i] == item)
			return true;
	return false;
}

static void add_device(struct plan *plan, const struct shape *shape,
		       struct plan_bucket *bucket)
{
	int32_t id = plan->device_count * plan->device_stride;
	int32_t other;

	if (shape->shared && plan->device_count && plan_once_in(plan, shape->shared)) {
		other = plan->device_ids[plan_below(plan, plan->device_count)];
		if (!holds(bucket, other))
			bucket->items[bucket->count++] = other;
		return;
	}
	if (plan->device_count == PLAN_DEVICES_MAX)
		return;
	plan->device_ids[plan->device_count++] = id;
	plan->device_limit = id + 1;
	bucket->items[bucket->count++] = id;
}

static void add_item(struct plan *plan, const struct shape *shape,
		     struct plan_bucket *bucket)
{
	int level = bucket->type - 1;
	const struct plan_bucket *child;

	if (shape->odd && plan_once_in(plan, shape->odd))
		level = plan_below(plan, bucket->type);
	if (level == 0) {
		add_device(plan, shape, bucket);
		return;
	}
	child = add_bucket(plan, shape, level);
	if (child)
		bucket->items[bucket->count++] = child->id;
}

static void fill_bucket(struct plan *plan, const struct shape *shape,
			struct plan_bucket *bucket)
{
	int wanted = 1 + plan_below(plan, shape->fan_out);

	if (bucket->alg == PLAN_TREE && wanted > 64)
		wanted = 64;
	if (bucket->type < plan->levels && plan_once_in(plan, 40))
		wanted = 0;
	for (int i = 0; i < wanted; i++)
		add_item(plan, shape, bucket);
	/* The peer's uniform buckets have no weight when they are empty, and need one. */
	if (bucket->count == 0 && bucket->alg == PLAN_UNIFORM)
		bucket->alg = PLAN_STRAW2;
}

static struct shape choose_shape(struct plan *plan)
{
	static const int fan_out[] = {2, 4, 6, 10};
	static const int strides[] = {1, 1, 1, 2, PLAN_STRIDE_MAX};
	struct shape shape = {.fan_out = PLAN_PICK(plan, fan_out)};

	plan->levels = 1 + plan_below(plan, PLAN_LEVELS_MAX);
	plan->root_count = 1 + plan_below(plan, 2);
	plan->bucket_stride = PLAN_PICK(plan, strides);
	plan->device_stride = PLAN_PICK(plan, strides);
	if (plan->levels == 1 && plan_once_in(plan, 2))
		shape.fan_out = plan_once_in(plan, 8) ? PLAN_ITEMS_MAX : 120;
	shape.alg = (enum plan_alg)plan_below(plan, 6);
	if (plan_once_in(plan, 3))
		shape.odd = 2 + plan_below(plan, 10);
	if (plan_once_in(plan, 10))
		shape.shared = 10;
	return shape;
}

/** Buckets are filled in the order in which they were added, so a bucket always comes
 * before what it holds. */
void plan_make_tree(struct plan *plan)
{
	struct shape shape = choose_shape(plan);

	for (int i = 0; i < plan->root_count; i++)
		add_bucket(plan, &shape, plan->levels);
	for (int i = 0; i < plan->bucket_count; i++)
		fill_bucket(plan, &shape, &plan->buckets[i]);
}
