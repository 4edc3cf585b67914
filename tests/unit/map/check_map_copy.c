/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "support.h"

static void add_buckets(strew_builder *builder)
{
	static const uint32_t lengths[2] = {0x10000, 0x20000};
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	add_tree(builder);
	desc.name = "h3";
	desc.type = 1;
	desc.alg = "straw";
	desc.hash = 7;
	desc.weight = 5 * ONE;
	desc.straw_calc_version = 1;
	desc.id = strew_builder_add_bucket(builder, &desc);
	strew_builder_add_device(builder, 4, "disk", "ssd");
	strew_builder_add_device(builder, 5, NULL, "hdd");
	strew_builder_add_item(builder, desc.id, 4, ONE / 2, 0);
	strew_builder_add_item(builder, desc.id, 5, ONE / 4, 0);
	strew_builder_add_item(builder, desc.id, 0, ONE, STREW_ITEM_TWICE_OK);
	strew_builder_add_item(builder, desc.id, 6, ONE, 0);
	strew_builder_add_device(builder, 6, NULL, NULL);
	add_bucket(builder, -60, "h4", 1);
	desc.name = "h5";
	desc.id = -70;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_device(builder, 7, NULL, "hdd");
	strew_builder_add_device(builder, 8, NULL, "hdd");
	hang(builder, -70, 7);
	hang(builder, -70, 8);
	map_set_table(builder, -70, lengths, 2);
	strew_builder_set_shadow_id(builder, -60, "hdd", -99);
	strew_builder_derive_shadows(builder);
}

static void add_facts(strew_builder *builder)
{
	static const int32_t devices[2] = {4, 2};
	static const uint32_t weights[2] = {ONE, ONE / 3};
	strew_pool_desc desc = pool_desc(3, "p");
	strew_pg pg = {3, 1};

	strew_builder_set_device_limit(builder, 20);
	strew_builder_set_state(builder, 2, 1, 1);
	strew_builder_set_reweight(builder, 2, 99);
	strew_builder_set_primary_affinity(builder, 12, 98);
	strew_builder_set_capacity(builder, 4, 1000, 10);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -1, weights, 2);
	strew_builder_add_weight_row(builder, -1, weights, 2);
	strew_builder_set_weight_ids(builder, -3, devices, 2);
	strew_builder_add_pool(builder, &desc);
	strew_builder_add_upmap(builder, pg, devices, 2);
	strew_builder_add_upmap_item(builder, pg, 0, 4);
	strew_builder_add_upmap_item(builder, pg, 1, 5);
	strew_builder_set_upmap_primary(builder, pg, 4);
	strew_builder_add_pg_temp(builder, pg, devices, 1);
	strew_builder_set_primary_temp(builder, pg, 2);
	strew_builder_add_upmap(builder, (strew_pg){9, 9}, devices, 2);
}

/* A small map with something of everything. */
static strew_builder *everything(const strew_allocator *allocator)
{
	strew_builder *builder;

	if (strew_builder_new(&builder, allocator) != STREW_OK)
		return NULL;
	strew_builder_in_file(builder, "map.json");
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 3, "root");
	strew_builder_set_name(builder, "ams");
	strew_builder_set_profile(builder, "bobtail");
	strew_builder_at_path(builder, "/tree");
	add_buckets(builder);
	strew_builder_at_path(builder, "/rules");
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_MSR_INDEP);
	strew_builder_set_rule_mask(builder, 0, 1, 10);
	strew_builder_add_take_name(builder, "default", "hdd");
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, 0, "host");
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_at_path(builder, "/facts");
	add_facts(builder);
	return builder;
}

static void same_buckets(const strew_map *a, const strew_map *b)
{
	ck_assert_uint_eq(a->bucket_count, b->bucket_count);
	for (size_t i = 0; i < a->bucket_count; i++) {
		const strew_bucket *left = &a->buckets[i], *right = &b->buckets[i];

		ck_assert_int_eq(left->id, right->id);
		ck_assert_str_eq(left->name, right->name);
		ck_assert_uint_eq(left->weight, right->weight);
		ck_assert_uint_eq(left->item_count, right->item_count);
		if (left->item_count)
			ck_assert_mem_eq(left->items, right->items,
					 left->item_count * sizeof(*left->items));
		ck_assert_str_eq(left->alg, right->alg);
		ck_assert_int_eq(left->type, right->type);
		ck_assert_uint_eq(left->hash, right->hash);
		ck_assert_uint_eq(left->straw_calc_version, right->straw_calc_version);
		ck_assert_int_eq(left->shadow_of, right->shadow_of);
		ck_assert_pstr_eq(left->class_name, right->class_name);
		ck_assert_uint_eq(left->table_words, right->table_words);
		if (left->table)
			ck_assert_mem_eq(left->table, right->table,
					 left->table_words * 4);
	}
}

static void same_devices(const strew_map *a, const strew_map *b)
{
	ck_assert_uint_eq(a->device_count, b->device_count);
	ck_assert_int_eq(a->device_limit, b->device_limit);
	for (size_t i = 0; i < a->device_count; i++) {
		strew_device left = a->devices[i], right = b->devices[i];

		ck_assert_int_eq(left.id, right.id);
		ck_assert_str_eq(left.name, right.name);
		ck_assert_pstr_eq(left.class_name, right.class_name);
		ck_assert_uint_eq(left.reweight, right.reweight);
		ck_assert_uint_eq(left.primary_affinity, right.primary_affinity);
		ck_assert(left.exists == right.exists && left.up == right.up);
		ck_assert_uint_eq(left.size_bytes, right.size_bytes);
		ck_assert_uint_eq(left.used_bytes, right.used_bytes);
	}
}

static void same_rest(const strew_map *a, const strew_map *b)
{
	const struct map_override *left = a->overrides, *right = b->overrides;
	const struct map_weights *rows = a->weight_sets[0].buckets,
				 *copies = b->weight_sets[0].buckets;

	ck_assert_mem_eq(&a->tunables, &b->tunables, sizeof(a->tunables));
	ck_assert_uint_eq(a->class_count, b->class_count);
	for (size_t i = 0; i < a->class_count; i++)
		ck_assert_str_eq(a->classes[i].name, b->classes[i].name);
	ck_assert_uint_eq(a->rules[0].step_count, b->rules[0].step_count);
	ck_assert_mem_eq(a->rules[0].steps, b->rules[0].steps,
			 3 * sizeof(struct map_step));
	ck_assert_int_eq(a->rules[0].kind, b->rules[0].kind);
	ck_assert_uint_eq(a->rules[0].max_size, b->rules[0].max_size);
	ck_assert_uint_eq(a->weight_sets[0].bucket_count, b->weight_sets[0].bucket_count);
	ck_assert_uint_eq(rows[0].positions, copies[0].positions);
	ck_assert_mem_eq(rows[0].rows, copies[0].rows, 16);
	ck_assert_mem_eq(rows[1].ids, copies[1].ids, 8);
	ck_assert_int_eq(a->pools[0].rule, b->pools[0].rule);
	ck_assert_int_eq(a->pools[0].min_size, b->pools[0].min_size);
	ck_assert_mem_eq(left->upmap, right->upmap, 8);
	ck_assert_mem_eq(left->upmap_items, right->upmap_items, 16);
	ck_assert_int_eq(left->upmap_primary, right->upmap_primary);
	ck_assert_uint_eq(left->temp_count, right->temp_count);
	ck_assert_int_eq(left->primary_temp, right->primary_temp);
}

START_TEST(a_builder_from_a_map_makes_the_same_map)
{
	strew_map *map = finish(everything(NULL)), *copy;
	strew_builder *builder;

	ck_assert_uint_eq(strew_map_warning_count(map), 3);
	ck_assert_uint_gt(map->bucket_count, 10);
	ck_assert_int_eq(strew_map_bucket_by_name(map, "h4~hdd")->id, -99);
	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	copy = finish(builder);
	same_buckets(map, copy);
	same_devices(map, copy);
	same_rest(map, copy);
	ck_assert_str_eq(strew_map_name(copy), "ams");
	strew_map_release(map);
	strew_map_release(copy);
}
END_TEST

START_TEST(facts_told_after_the_copy_win)
{
	strew_map *map = finish(everything(NULL)), *copy;
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_builder_set_reweight(builder, 2, 5);
	strew_builder_set_reweight(builder, 3, 6);
	copy = finish(builder);
	ck_assert_uint_eq(strew_map_device_by_id(copy, 2)->reweight, 5);
	ck_assert(strew_map_device_by_id(copy, 2)->exists);
	ck_assert_uint_eq(strew_map_device_by_id(copy, 3)->reweight, 6);
	strew_map_release(map);
	strew_map_release(copy);
}
END_TEST

/* Build the map, then build a copy of it with more, with one allocation failing. */
static bool build_both(struct support_heap *heap)
{
	strew_builder *builder = everything(&heap->allocator);
	strew_map *map = NULL, *copy = NULL;
	strew_error error;
	strew_status status;

	if (builder == NULL)
		return false;
	status = strew_builder_build(&map, builder, &error);
	strew_builder_free(builder);
	if (status == STREW_OK)
		status = strew_builder_from_map(&builder, map);
	if (status == STREW_OK) {
		map_weigh_device(builder, 0, "disk", ONE / 2);
		strew_builder_add_device(builder, 60, NULL, NULL);
		status = strew_builder_build(&copy, builder, &error);
		strew_builder_free(builder);
	}
	ck_assert(status == STREW_OK || status == STREW_ENOMEM);
	ck_assert((copy != NULL) == (status == STREW_OK));
	strew_map_release(map);
	strew_map_release(copy);
	return status == STREW_OK;
}

START_TEST(each_failed_allocation_is_survived)
{
	size_t failures = 0;
	bool built = false;

	for (size_t i = 1; !built; i++) {
		struct support_heap heap;

		support_heap_init(&heap);
		heap.fail_at = i;
		built = build_both(&heap);
		ck_assert_uint_eq(heap.blocks, 0);
		ck_assert_uint_eq(heap.bytes, 0);
		ck_assert(built == (heap.calls < i));
		failures += !built;
	}
	ck_assert_uint_gt(failures, 100);
}
END_TEST

TCase *check_map_copy(void)
{
	TCase *tcase = tcase_create("map_copy");

	tcase_add_test(tcase, a_builder_from_a_map_makes_the_same_map);
	tcase_add_test(tcase, facts_told_after_the_copy_win);
	tcase_add_test(tcase, each_failed_allocation_is_survived);
	return tcase;
}
