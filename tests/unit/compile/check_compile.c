/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include <strew/builder.h>

#include "base_alloc.h"
#include "compile.h"
#include "map.h"
#include "select.h"
#include "support.h"

/* One bucket of each selector, with so many devices; then the root that holds them. */
#define HOSTS   5
#define DEVICES 6

static const char *const algs[HOSTS] = {"straw2", "straw", "list", "tree", "uniform"};

static void add_host(strew_builder *builder, int host)
{
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;
	/* Ids with gaps, so that an index is not an id. */
	int32_t device = host * DEVICES * 2;

	bucket.id = -2 - 2 * host;
	bucket.name = algs[host];
	bucket.type = 1;
	bucket.alg = algs[host];
	strew_builder_add_bucket(builder, &bucket);
	for (int i = 0; i < DEVICES; i++, device += 2) {
		strew_builder_add_device(builder, device, NULL, NULL);
		strew_builder_set_reweight(builder, device, 1000u + (uint32_t)device);
		strew_builder_add_item(builder, bucket.id, device, STREW_WEIGHT_ONE, 0);
	}
	strew_builder_add_item(builder, -1, bucket.id, STREW_AUTO_WEIGHT, 0);
}

static void add_rules(strew_builder *builder)
{
	strew_builder_add_rule(builder, 3, "plain", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, -6);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 2, 1, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take(builder, 10);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_rule(builder, 1, "msr", STREW_KIND_MSR_INDEP);
	for (int i = 0; i < 2; i++) {
		strew_builder_add_take(builder, -1);
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, 1, NULL);
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 1, 0, NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	}
}

static strew_map *build(strew_builder *builder)
{
	strew_error error = {0};
	strew_map *map;

	ck_assert_msg(strew_builder_build(&map, builder, &error) == STREW_OK, "%s",
		      error.text);
	strew_builder_free(builder);
	return map;
}

static strew_builder *new_builder(void)
{
	strew_bucket_desc root = STREW_BUCKET_DESC_INIT;
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 2, "root");
	root.id = -1;
	root.name = "root";
	root.type = 2;
	strew_builder_add_bucket(builder, &root);
	return builder;
}

static strew_map *sample_map(void)
{
	strew_builder *builder = new_builder();

	strew_builder_set_tunable(builder, "choose_total_tries", 77);
	for (int host = 0; host < HOSTS; host++)
		add_host(builder, host);
	add_rules(builder);
	return build(builder);
}

static struct flat *compile(const strew_map *map)
{
	strew_error error = {0};
	struct flat *flat;

	ck_assert_msg(compile_map(&flat, map, &base_heap, &error) == STREW_OK, "%s",
		      error.text);
	return flat;
}

/** Does an array, and what may be read behind it, lie in the block? */
static void assert_array(const struct flat *flat, const void *array, uint64_t count)
{
	uint64_t at = (uint64_t)((const char *)array - (const char *)flat);

	ck_assert_uint_eq(at % sizeof(uint32_t), 0);
	ck_assert_uint_ge(at, sizeof(*flat));
	ck_assert_uint_le(at + (count + FLAT_PAD) * sizeof(uint32_t), flat->size);
}

START_TEST(arrays_are_inside_the_block)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);

	ck_assert_uint_eq(flat->bucket_count, HOSTS + 1);
	ck_assert_uint_eq(flat->max_items, DEVICES);
	assert_array(flat, flat_device_reweights(flat), flat->device_count);
	for (uint32_t i = 0; i < flat->bucket_count; i++) {
		const struct flat_bucket *bucket = flat_bucket_at(flat, i);

		assert_array(flat, flat_ids(bucket), bucket->count);
		assert_array(flat, flat_refs(bucket), bucket->count);
		assert_array(flat, flat_weights(bucket), bucket->count);
		ck_assert_int_eq(bucket->first_id, flat_ids(bucket)[0]);
		if (bucket->table_words == 0)
			continue;
		assert_array(flat, flat_table(bucket), bucket->table_words);
		ck_assert_mem_eq(bucket->head, flat_table(bucket), sizeof(bucket->head));
	}
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

/** What vector code reads behind the last array is compared, too: it must be 0. */
START_TEST(block_ends_in_zeros)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);
	const char *end = (const char *)flat + flat->size;

	for (size_t i = 1; i <= FLAT_PAD * sizeof(uint32_t); i++)
		ck_assert_int_eq(*(end - i), 0);
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

START_TEST(two_compiles_are_equal)
{
	strew_map *map = sample_map();
	struct flat *first = compile(map);
	struct flat *second = compile(map);

	ck_assert_uint_eq(first->size, second->size);
	ck_assert(memcmp(first, second, (size_t)first->size) == 0);
	compile_free(first, &base_heap);
	compile_free(second, &base_heap);
	strew_map_release(map);
}
END_TEST

START_TEST(refs_stand_for_items)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);

	for (uint32_t i = 0; i < flat->bucket_count; i++) {
		const struct flat_bucket *bucket = flat_bucket_at(flat, i);

		ck_assert_int_eq(bucket->id, map->buckets[i].id);
		ck_assert_int_eq(bucket->type, map->buckets[i].type);
		ck_assert_uint_eq(bucket->count, map->buckets[i].item_count);
		for (uint32_t j = 0; j < bucket->count; j++) {
			const struct map_item *item = &map->buckets[i].items[j];

			ck_assert_int_eq(flat_ids(bucket)[j], item->id);
			ck_assert_int_eq(flat_id_of(flat, flat_refs(bucket)[j]),
					 item->id);
			ck_assert_uint_eq(flat_weights(bucket)[j], item->weight);
		}
	}
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

START_TEST(devices_keep_their_reweights)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);

	ck_assert_uint_eq(flat->device_count, HOSTS * DEVICES);
	for (uint32_t i = 0; i < flat->device_count; i++) {
		ck_assert_int_eq(flat_device_id(flat, i), (int32_t)i * 2);
		ck_assert_uint_eq(flat_device_reweights(flat)[i], 1000 + i * 2);
	}
	ck_assert_uint_eq(flat->tunables.choose_total_tries, 77);
	ck_assert_uint_eq(flat->tunables.msr_descents, 100);
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

/** What is below the root and below the first host. */
static void assert_below(const strew_map *map, uint32_t root, uint32_t host)
{
	struct flat *flat = compile(map);

	ck_assert_uint_eq(flat_bucket_at(flat, 0)->below, root);
	ck_assert_uint_eq(flat_bucket_at(flat, 1)->below, host);
	compile_free(flat, &base_heap);
}

static strew_map *map_of_hosts(void (*more)(strew_builder *builder))
{
	strew_builder *builder = new_builder();

	for (int host = 0; host < HOSTS; host++)
		add_host(builder, host);
	if (more)
		more(builder);
	return build(builder);
}

static void add_empty_host(strew_builder *builder)
{
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;

	bucket.id = -99;
	bucket.name = "empty";
	bucket.type = 1;
	strew_builder_add_bucket(builder, &bucket);
}

static void add_device_to_root(strew_builder *builder)
{
	strew_builder_add_device(builder, 999, NULL, NULL);
	strew_builder_add_item(builder, -1, 999, STREW_WEIGHT_ONE, 0);
}

static void add_host_with_a_host(strew_builder *builder)
{
	add_empty_host(builder);
	strew_builder_add_item(builder, -99, -2, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
}

START_TEST(buckets_tell_what_hangs_below_their_type)
{
	static const struct {
		void (*more)(strew_builder *builder);
		uint32_t root, host;
	} cases[] = {
		{NULL, 2, 1},
		{add_empty_host, 2, 1},
		{add_device_to_root, 0, 1},
		{add_host_with_a_host, 2, 0},
	};
	strew_map *map = map_of_hosts(cases[_i].more);

	assert_below(map, cases[_i].root, cases[_i].host);
	strew_map_release(map);
}
END_TEST

START_TEST(empty_buckets_are_noticed)
{
	strew_map *full = map_of_hosts(NULL), *other = map_of_hosts(add_empty_host);
	struct flat *without = compile(full), *with = compile(other);

	ck_assert_uint_eq(without->any_empty, 0);
	ck_assert_uint_eq(with->any_empty, 1);
	compile_free(without, &base_heap);
	compile_free(with, &base_heap);
	strew_map_release(full);
	strew_map_release(other);
}
END_TEST

START_TEST(reweights_below_one_are_noticed)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);

	ck_assert_uint_eq(flat->any_out, 1);
	compile_free(flat, &base_heap);
	for (size_t i = 0; i < map->device_count; i++)
		map->devices[i].reweight = STREW_WEIGHT_ONE;
	flat = compile(map);
	ck_assert_uint_eq(flat->any_out, 0);
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

START_TEST(rules_take_refs)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);
	const struct flat_rule *rule = flat_find_rule(flat, 3);
	const struct flat_step *steps = flat_steps(flat, rule);

	ck_assert_uint_eq(flat->rule_count, 2);
	ck_assert_int_eq(rule->kind, STREW_KIND_REPLICATED);
	ck_assert_uint_eq(rule->step_count, 5);
	ck_assert_int_eq(flat_bucket_of(flat, steps[0].arg1)->id, -6);
	ck_assert_int_eq(steps[1].op, STREW_OP_CHOOSELEAF_FIRSTN);
	ck_assert_int_eq(steps[1].arg1, 2);
	ck_assert_int_eq(steps[1].arg2, 1);
	ck_assert_int_eq(steps[3].arg1, 5);
	ck_assert_int_eq(flat_id_of(flat, steps[3].arg1), 10);
	ck_assert_uint_eq(flat->max_msr_steps, 2);
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

START_TEST(selectors_are_found_by_name)
{
	strew_map *map = sample_map();
	struct flat *flat = compile(map);

	for (uint32_t i = 0; i < HOSTS; i++) {
		const struct flat_bucket *bucket = flat_bucket_at(flat, i + 1);
		const struct select_ops *ops = select_at(bucket->selector);

		ck_assert_str_eq(ops->name, algs[i]);
		ck_assert_int_eq(bucket->uniform, strcmp(algs[i], "uniform") == 0);
		/* All weigh the same here. */
		ck_assert_uint_eq(
			bucket->table_words,
			ops->table_words
				? ops->table_words(ops->flags & SELECT_SETS ? 0 : DEVICES)
				: 0);
	}
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

/** The table of the bucket with straws, as compiled. */
static uint32_t first_straw(const strew_map *map)
{
	struct flat *flat = compile(map);
	uint32_t straw = flat_table(flat_bucket_at(flat, 2))[0];

	compile_free(flat, &base_heap);
	return straw;
}

START_TEST(stored_table_wins_where_it_fits)
{
	strew_map *map = sample_map();
	uint32_t words[DEVICES + 1] = {4711};
	uint32_t made = first_straw(map);

	ck_assert_uint_ne(made, 4711);
	map->buckets[2].table = words;
	map->buckets[2].table_words = DEVICES;
	ck_assert_uint_eq(first_straw(map), 4711);
	map->buckets[2].table_words = DEVICES + 1;
	ck_assert_uint_eq(first_straw(map), made);
	strew_map_release(map);
}
END_TEST

START_TEST(empty_bucket_has_no_table)
{
	strew_builder *builder = new_builder();
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;
	const struct flat_bucket *compiled;
	struct flat *flat;
	strew_map *map;

	bucket.id = -2;
	bucket.name = "empty";
	bucket.type = 1;
	bucket.alg = algs[_i];
	strew_builder_add_bucket(builder, &bucket);
	map = build(builder);
	flat = compile(map);
	compiled = flat_bucket_at(flat, 1);
	ck_assert_uint_eq(compiled->count, 0);
	ck_assert_uint_eq(compiled->table_words, 0);
	assert_array(flat, flat_ids(compiled), 0);
	compile_free(flat, &base_heap);
	strew_map_release(map);
}
END_TEST

static void assert_refused(const strew_map *map, strew_status status, const char *word)
{
	struct flat *flat = (struct flat *)&status;
	strew_error error = {0};

	ck_assert_int_eq(compile_map(&flat, map, &base_heap, &error), status);
	ck_assert_ptr_null(flat);
	ck_assert_int_eq(error.status, status);
	ck_assert_msg(strstr(error.text, word) != NULL, "%s", error.text);
}

START_TEST(unknown_selector_is_refused)
{
	strew_map *map = sample_map();

	map->buckets[3].alg = "straw3";
	assert_refused(
		map, STREW_EMAP,
		"bucket list (id -6) has the selector \"straw3\", which is not known");
	assert_refused(map, STREW_EMAP, "straw2, ");
	strew_map_release(map);
}
END_TEST

START_TEST(too_many_items_are_refused)
{
	strew_builder *builder = new_builder();
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;
	strew_map *map;

	bucket.id = -2;
	bucket.name = "oak";
	bucket.type = 1;
	bucket.alg = "tree";
	strew_builder_add_bucket(builder, &bucket);
	for (int32_t device = 0; device < 65; device++) {
		strew_builder_add_device(builder, device, NULL, NULL);
		strew_builder_add_item(builder, -2, device, STREW_WEIGHT_ONE, 0);
	}
	map = build(builder);
	assert_refused(
		map, STREW_EMAP,
		"bucket oak (id -2) has 65 items, but the selector \"tree\" takes at "
		"most 64");
	strew_map_release(map);
}
END_TEST

/** No such map fits into a test, so this one is a count without the items: they must
 * not be looked at. */
START_TEST(block_over_4_gib_is_refused)
{
	strew_bucket bucket = {.id = -1, .name = "vast", .alg = "straw2"};
	strew_map map = {.buckets = &bucket, .bucket_count = 1};

	bucket.item_count = 0x20000000;
	assert_refused(&map, STREW_ERANGE, "4 GiB");
	bucket.item_count = SIZE_MAX / 2;
	assert_refused(&map, STREW_ERANGE, "4 GiB");
}
END_TEST

START_TEST(failed_allocations_leave_nothing)
{
	strew_map *map = sample_map();
	struct support_heap heap;
	strew_status status = STREW_ENOMEM;
	struct flat *flat = NULL;
	size_t fail_at;

	for (fail_at = 1; status == STREW_ENOMEM; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		status = compile_map(&flat, map, &heap.allocator, NULL);
		compile_free(flat, &heap.allocator);
		if (heap.blocks || heap.bytes)
			ck_abort_msg("%zu blocks are left", heap.blocks);
	}
	ck_assert_int_eq(status, STREW_OK);
	/* The block, and what straw lengths are worked out in. */
	ck_assert_uint_gt(fail_at, 2);
	strew_map_release(map);
}
END_TEST

TCase *check_compile(void)
{
	TCase *tcase = tcase_create("compile");

	tcase_add_test(tcase, arrays_are_inside_the_block);
	tcase_add_test(tcase, block_ends_in_zeros);
	tcase_add_test(tcase, two_compiles_are_equal);
	tcase_add_test(tcase, refs_stand_for_items);
	tcase_add_test(tcase, devices_keep_their_reweights);
	tcase_add_loop_test(tcase, buckets_tell_what_hangs_below_their_type, 0, 4);
	tcase_add_test(tcase, empty_buckets_are_noticed);
	tcase_add_test(tcase, reweights_below_one_are_noticed);
	tcase_add_test(tcase, rules_take_refs);
	tcase_add_test(tcase, selectors_are_found_by_name);
	tcase_add_test(tcase, stored_table_wins_where_it_fits);
	tcase_add_loop_test(tcase, empty_bucket_has_no_table, 0, HOSTS);
	tcase_add_test(tcase, unknown_selector_is_refused);
	tcase_add_test(tcase, too_many_items_are_refused);
	tcase_add_test(tcase, block_over_4_gib_is_refused);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	return tcase;
}
