/* SPDX-License-Identifier: MIT */
#include "plan.h"

/* A device's weight ends below this, and a bucket's weights sum to less than 2^32. */
#define DEVICE_LIMIT 0x7fffffffu

enum style { EQUAL, WHOLE, UNITS, ANY, LOGARITHMIC, ALIKE, ONE_HUGE, STYLES };

static uint32_t any_up_to(struct plan *plan, uint32_t max)
{
	return (uint32_t)(support_random(&plan->random) % ((uint64_t)max + 1));
}

static uint32_t draw(struct plan *plan, enum style style, uint32_t max)
{
	switch (style) {
	case EQUAL:
		return STREW_WEIGHT_ONE;
	case WHOLE:
		return STREW_WEIGHT_ONE * (uint32_t)(1 + plan_below(plan, 8));
	case UNITS:
		return 1 + (uint32_t)plan_below(plan, 4);
	case ANY:
		return any_up_to(plan, max);
	case LOGARITHMIC:
		return any_up_to(plan, max >> plan_below(plan, 30));
	default:
		return STREW_WEIGHT_ONE + (uint32_t)plan_below(plan, STREW_WEIGHT_ONE);
	}
}

/** The most that an item may weigh where `count` must fit together. */
static uint32_t item_limit(int32_t item, int count)
{
	uint32_t share = 0xfffffffeu / (uint32_t)count;

	return item >= 0 && share > DEVICE_LIMIT ? DEVICE_LIMIT : share;
}

/** One weight of any size for all the items of a bucket: heavy ones draw alike often. */
static uint32_t draw_alike(struct plan *plan, int count)
{
	return draw(plan, LOGARITHMIC, item_limit(0, count > 0 ? count : 1));
}

static uint32_t sum_of(const struct plan_bucket *bucket)
{
	uint32_t sum = 0;

	for (int i = 0; i < bucket->count; i++)
		sum += bucket->weights[i];
	return sum;
}

static const struct plan_bucket *bucket_by_id(const struct plan *plan, int32_t id)
{
	return &plan->buckets[(-1 - id) / plan->bucket_stride];
}

/** Let one item have all the weight that the others leave: over 2^31 when
 * it is a bucket. */
static void make_one_huge(struct plan *plan, struct plan_bucket *bucket)
{
	int index = plan_below(plan, bucket->count);
	uint32_t left = 0xfffffffeu - (sum_of(bucket) - bucket->weights[index]);
	uint32_t limit = bucket->items[index] >= 0 ? DEVICE_LIMIT : left;

	bucket->weights[index] = left < limit ? left : limit;
}

/** One weight for all, and never 0: the peer can't divide by it. */
static void level_uniform(struct plan_bucket *bucket)
{
	uint32_t weight = bucket->weights[0];

	for (int i = 0; i < bucket->count; i++) {
		uint32_t limit = item_limit(bucket->items[i], bucket->count);

		if (weight > limit)
			weight = limit;
	}
	for (int i = 0; i < bucket->count; i++)
		bucket->weights[i] = weight ? weight : 1;
}

static void make_weights(struct plan *plan, struct plan_bucket *bucket, enum style style,
			 bool true_sums, int zeros)
{
	uint32_t alike = draw_alike(plan, bucket->count);

	for (int i = 0; i < bucket->count; i++) {
		uint32_t limit = item_limit(bucket->items[i], bucket->count);
		uint32_t weight = style == ALIKE ? alike : draw(plan, style, limit);

		if (true_sums && bucket->items[i] < 0)
			weight = sum_of(bucket_by_id(plan, bucket->items[i]));
		if (zeros && plan_once_in(plan, zeros))
			weight = 0;
		bucket->weights[i] = weight < limit ? weight : limit;
	}
	if (bucket->count && style == ONE_HUGE)
		make_one_huge(plan, bucket);
	if (bucket->count && bucket->alg == PLAN_UNIFORM)
		level_uniform(bucket);
	/* The peer's walk leaves a tree that weighs nothing. */
	if (bucket->count && bucket->alg == PLAN_TREE && sum_of(bucket) == 0)
		bucket->weights[0] = 1;
}

static void make_rows(struct plan *plan, struct plan_bucket *bucket, enum style style)
{
	uint32_t limit = item_limit(0, bucket->count);
	uint32_t alike = draw_alike(plan, bucket->count);

	bucket->positions = plan_below(plan, PLAN_POSITIONS_MAX + 1);
	for (int position = 0; position < bucket->positions; position++)
		for (int i = 0; i < bucket->count; i++) {
			uint32_t weight =
				style == ALIKE ? alike : draw(plan, style, limit);

			bucket->rows[position][i] = plan_once_in(plan, 12) ? 0 : weight;
		}
}

static void make_ids(struct plan *plan, struct plan_bucket *bucket)
{
	bucket->has_ids = plan_once_in(plan, 3);
	for (int i = 0; bucket->has_ids && i < bucket->count; i++)
		bucket->ids[i] = plan_once_in(plan, 2)
					 ? bucket->items[i]
					 : (int32_t)any_up_to(plan, UINT32_MAX);
}

static void make_weight_set(struct plan *plan)
{
	enum style style = (enum style)plan_below(plan, STYLES);

	plan->has_weight_set = true;
	for (int i = 0; i < plan->bucket_count; i++) {
		struct plan_bucket *bucket = &plan->buckets[i];

		if (bucket->alg != PLAN_STRAW2 || bucket->count == 0 ||
		    plan_once_in(plan, 4))
			continue;
		make_rows(plan, bucket, style);
		make_ids(plan, bucket);
	}
}

void plan_make_weights(struct plan *plan)
{
	enum style style = (enum style)plan_below(plan, STYLES);
	bool true_sums = plan_once_in(plan, 2);
	int zeros = plan_once_in(plan, 3) ? 1 + plan_below(plan, 12) : 0;

	/* From the last, so that what a bucket holds has its sum already. */
	for (int i = plan->bucket_count - 1; i >= 0; i--)
		make_weights(plan, &plan->buckets[i], style, true_sums, zeros);
	if (plan_once_in(plan, 4))
		make_weight_set(plan);
}
