/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "flat_fixture.h"
#include "straw2_kernel.h"
#include "support.h"

#define LOG_ONE     ((uint64_t)1 << 48)
#define HASHES      65536
#define BUCKETS     24
#define ITEMS_MAX   300
#define QUESTIONS   500
#define LARGE       6000 /* more than a kernel takes as a whole, even of equal weights */
#define DEVICES_MAX (BUCKETS * ITEMS_MAX + LARGE)

/* A random map of buckets that hold devices, most of them straw2. */

enum style { EQUAL, EQUAL_BUT_ZERO, ANY, LOGARITHMIC, UNITS, ZERO, STYLES };

static uint32_t draw_weight(uint64_t *seed, enum style style, uint32_t equal)
{
	switch (style) {
	case EQUAL:
		return equal;
	case EQUAL_BUT_ZERO:
		return support_below(seed, 10) ? equal : 0;
	case LOGARITHMIC:
		return (uint32_t)support_random(seed) >> support_below(seed, 32);
	case UNITS:
		return support_below(seed, 4);
	case ZERO:
		return 0;
	default:
		return (uint32_t)support_random(seed) >> 1;
	}
}

struct random_map {
	struct fixture_bucket buckets[BUCKETS];
	int32_t items[DEVICES_MAX];
	uint32_t weights[DEVICES_MAX];
};

/* Trees hold 64 items at most. */
static const char *draw_selector(uint64_t *seed, uint32_t count)
{
	static const char *const others[] = {"straw", "list", "uniform", "tree"};

	if (support_below(seed, 2))
		return NULL;
	return others[support_below(seed, count <= 64 ? 4 : 3)];
}

/* Ids are evenly apart, up or down, or they aren't. */
static void order_items(int32_t *items, uint32_t count, bool apart, uint64_t *seed)
{
	bool down = support_below(seed, 2);

	for (uint32_t i = 0; down && i < count / 2; i++) {
		int32_t item = items[i];

		items[i] = items[count - 1 - i];
		items[count - 1 - i] = item;
	}
	if (!apart && count > 2) {
		int32_t item = items[0];
		uint32_t with = 1 + support_below(seed, count - 1);

		items[0] = items[with];
		items[with] = item;
	}
}

static struct flat *make_map(struct random_map *map, uint64_t *seed)
{
	struct fixture_map all = {.bucket_count = BUCKETS,
				  .buckets = map->buckets,
				  .tunables = FIXTURE_TUNABLES};
	uint32_t devices = 0, apart_of_3 = support_below(seed, 4);

	for (uint32_t i = 0; i < BUCKETS; i++) {
		uint32_t most = i == 0 ? LARGE : i % 4 ? 40 : ITEMS_MAX;
		uint32_t count =
			support_below(seed, 15) ? 1 + support_below(seed, most) : 0;
		uint32_t equal = 1 + ((uint32_t)support_random(seed) >>
				      (1 + support_below(seed, 31)));
		enum style style = support_below(seed, STYLES);

		map->buckets[i] = (struct fixture_bucket){
			.id = -1 - (int32_t)i,
			.type = 1,
			.alg = draw_selector(seed, count),
			.count = count,
			.items = map->items + devices,
			.weights = map->weights + devices,
			.hash = support_below(seed, 20) == 0,
		};
		for (uint32_t k = 0; k < count; k++, devices++) {
			map->items[devices] = (int32_t)devices;
			map->weights[devices] = draw_weight(seed, style, equal);
		}
		order_items(map->items + devices - count, count,
			    support_below(seed, 3) < apart_of_3, seed);
	}
	all.device_count = devices;
	return fixture_flat(&all);
}

static void compare_answers(const struct flat *flat, const struct select_kernel *kernel,
			    uint32_t count, uint64_t *seed)
{
	uint32_t x[QUESTIONS + SELECT_PAD] = {0}, r[QUESTIONS + SELECT_PAD] = {0};
	int32_t refs[QUESTIONS], expected[QUESTIONS];
	struct select_batch batch = {.flat = flat, .x = x, .r = r, .refs = refs};

	batch.count = count;
	for (size_t i = 0; i < batch.count; i++) {
		uint32_t bucket = support_below(seed, BUCKETS);
		const struct flat_bucket *in = flat_bucket_at(flat, bucket);
		struct select_in question;

		x[i] = (uint32_t)support_random(seed);
		r[i] = support_below(seed, 60);
		question = (struct select_in){.x = x[i], .r = r[i]};
		refs[i] = -1 - (int32_t)bucket;
		expected[i] = FLAT_NONE;
		if (in->count == 0)
			continue;
		expected[i] = flat_refs(in)[select_choose(in, &question)];
		question.kernel = kernel;
		ck_assert_int_eq(flat_refs(in)[select_choose(in, &question)],
				 expected[i]);
	}
	select_choose_many(kernel, &batch);
	ck_assert_mem_eq(refs, expected, batch.count * sizeof(*refs));
}

START_TEST(every_kernel_answers_as_the_definition_does)
{
	static struct random_map map;
	uint64_t seed = 11;

	for (int i = 0; i < 60; i++) {
		struct flat *flat = make_map(&map, &seed);
		const struct select_kernel *kernel;

		for (size_t k = 0; (kernel = select_kernel_at(k)) != NULL; k++) {
			compare_answers(flat, kernel, support_below(&seed, QUESTIONS + 1),
					&seed);
			/* Few are answered in another way. */
			for (uint32_t few = 1; few <= STRAW2_FEW; few++)
				compare_answers(flat, kernel, few, &seed);
		}
		free(flat);
	}
}
END_TEST

/* An input for every hash that there is. */
static void find_inputs(uint32_t *inputs)
{
	static bool found[HASHES];
	uint32_t left = HASHES;

	for (uint32_t x = 0; left > 0; x++) {
		uint32_t hash = hash_3(x, 0, 0) & 0xffff;

		left -= !found[hash];
		found[hash] = true;
		inputs[hash] = x;
	}
}

/* What the bucket answers, alone and among few and many. */
static uint32_t choose_alike(const struct flat *flat, const struct select_kernel *kernel,
			     uint32_t x)
{
	uint32_t xs[QUESTIONS + SELECT_PAD], rs[QUESTIONS + SELECT_PAD] = {0};
	struct select_in question = {.x = x, .kernel = kernel};
	int32_t refs[QUESTIONS];
	struct select_batch batch = {.flat = flat, .x = xs, .r = rs, .refs = refs};
	uint32_t alone = select_choose(flat_bucket_at(flat, 0), &question);

	for (size_t i = 0; i < QUESTIONS + SELECT_PAD; i++)
		xs[i] = x;
	for (batch.count = 1; batch.count <= QUESTIONS; batch.count *= 4) {
		for (size_t i = 0; i < batch.count; i++)
			refs[i] = -1;
		select_choose_many(kernel, &batch);
		for (size_t i = 0; i < batch.count; i++)
			ck_assert_int_eq(refs[i], (int32_t)alone);
	}
	return alone;
}

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* What the proof in doc/selectors/straw2.md takes of a key. */
static void check_key(const char *name, uint32_t hash, uint32_t weight, double key,
		      double scale)
{
	double draw = (double)(LOG_ONE - select_straw2_log(hash)) / weight;
	double q = scale / (key * (double)STRAW2_OCTAVE);
	double slope = (double)STRAW2_SLOPE + (double)STRAW2_BEND * q * q * q * q;

	if (1 / key > draw * (1 + 0x1.02p-15))
		ck_abort_msg("%s: hash %u, weight %u: the inverse is above the draw",
			     name, hash, weight);
	if (q <= (double)STRAW2_LIMIT &&
	    draw > (slope / key + (double)STRAW2_OFFSET / scale) * (1 - 0x1p-14))
		ck_abort_msg("%s: hash %u, weight %u: the inverse is too far below the "
			     "draw, %g: %g",
			     name, hash, weight, q, draw * key - slope);
}

static void check_keys(const struct select_kernel *kernel, const uint32_t *inputs,
		       uint32_t weight)
{
	static const int32_t ids[FLAT_PAD + 1];
	uint32_t scales[FLAT_PAD + 1];
	static const uint32_t attempts[STRAW2_BIN + SELECT_PAD];
	struct straw2_bin bin = {.from = STRAW2_SAME,
				 .r = attempts,
				 .ids = {ids},
				 .scales = {scales},
				 .items = {1},
				 .items_min = 1,
				 .items_max = 1};

	for (size_t i = 0; i <= FLAT_PAD; i++)
		scales[i] = straw2_scale(weight);
	for (uint32_t hash = 0; hash < HASHES; hash += STRAW2_BIN) {
		bin.count = HASHES - hash < STRAW2_BIN ? HASHES - hash : STRAW2_BIN;
		bin.x = inputs + hash;
		kernel->mixed(&bin);
		for (uint32_t i = 0; i < bin.count; i++)
			check_key(kernel->name, hash + i, weight,
				  (double)as_float(bin.first[i]),
				  (double)as_float(scales[0]));
	}
}

START_TEST(keys_bound_draws_for_every_hash)
{
	static const uint32_t weights[] = {
		1, 3, 255, 65535, 65536, 65537, 999999, 56000001, 0x7fffffff, 0x1234567};
	static uint32_t inputs[HASHES + SELECT_PAD];
	const struct select_kernel *kernel;

	find_inputs(inputs);
	for (size_t k = 0; (kernel = select_kernel_at(k)) != NULL; k++) {
		for (size_t i = 0; kernel->mixed && i < FIXTURE_COUNT(weights); i++)
			check_keys(kernel, inputs, weights[i]);
	}
}
END_TEST

/* A processor's inverse may be off by this much, either way. */
#define INVERSE_ERROR (1.5 * 0x1p-12)

/* What keys may be where inverses are not those of this processor: between the least and
 * the most, and 2^-15 more for the index. */
START_TEST(keys_bound_draws_with_any_inverse)
{
	static const uint32_t weights[] = {1, 65536, 0x7fffffff};
	uint32_t weight = weights[_i];
	double scale = (double)as_float(straw2_scale(weight));

	for (uint32_t hash = 0; hash < HASHES - 2; hash++) {
		double v = (HASHES - 1 - hash) & ~1u;

		for (int off = -1; off <= 1; off += 2) {
			double inverse = (1 + off * INVERSE_ERROR) / v;
			double key =
				(inverse + (double)STRAW2_C0 + (double)STRAW2_C1 * v) *
				scale;

			check_key("any", hash, weight, key * (1 - 0x1p-15), scale);
			check_key("any", hash, weight, key * (1 + 0x1p-15), scale);
		}
	}
}
END_TEST

/* Of the best hash of all a key is infinite, whatever the weight is: it must not win for
 * that. */
START_TEST(the_best_hash_loses_by_its_weight)
{
	const uint32_t weights[] = {1, 1u << 30, 1u << 29};
	const struct select_kernel *kernel;

	for (uint32_t light = 0; light < FIXTURE_COUNT(weights); light++) {
		int32_t items[] = {0, 1, 2};
		uint32_t weighing[] = {weights[1], weights[1], weights[2]};
		struct fixture_bucket bucket = {.id = -1,
						.type = 1,
						.count = 3,
						.items = items,
						.weights = weighing};
		struct fixture_map map = {.device_count = 3,
					  .bucket_count = 1,
					  .buckets = &bucket,
					  .tunables = FIXTURE_TUNABLES};
		struct flat *flat;
		uint32_t x = 0;

		weighing[light] = weights[0];
		flat = fixture_flat(&map);
		for (int found = 0; found < 4; x++) {
			if ((hash_3(x, light, 0) & 0xffff) < 65534)
				continue;
			found++;
			for (size_t k = 0; (kernel = select_kernel_at(k)) != NULL; k++)
				ck_assert_uint_ne(choose_alike(flat, kernel, x), light);
		}
		free(flat);
	}
}
END_TEST

/* Hashes that are a span apart can't draw alike: by the logarithm's own values. */
START_TEST(a_span_parts_draws)
{
	static const uint32_t weights[] = {1,         65536,     56000000,  56000001,
					   112000000, 999999999, 0x7fffffff};

	for (size_t i = 0; i < FIXTURE_COUNT(weights); i++) {
		uint32_t span = straw2_span(weights[i]);

		for (uint32_t low = 0; low + span < HASHES; low++) {
			uint64_t longer = LOG_ONE - select_straw2_log(low);

			for (uint32_t high = low + span; high < HASHES;
			     high = high < 65533 ? 65533 : high + 1) {
				uint64_t shorter = LOG_ONE - select_straw2_log(high);

				if (longer / weights[i] <= shorter / weights[i])
					ck_abort_msg("weight %u: %u and %u", weights[i],
						     low, high);
			}
		}
	}
}
END_TEST

TCase *check_straw2_many(void)
{
	TCase *tcase = tcase_create("straw2_many");

	tcase_add_test(tcase, every_kernel_answers_as_the_definition_does);
	tcase_add_test(tcase, keys_bound_draws_for_every_hash);
	tcase_add_loop_test(tcase, keys_bound_draws_with_any_inverse, 0, 3);
	tcase_add_test(tcase, the_best_hash_loses_by_its_weight);
	tcase_add_test(tcase, a_span_parts_draws);
	return tcase;
}
