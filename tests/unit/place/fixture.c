/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <check.h>
#include <string.h>

static void add_tree(strew_builder *builder)
{
	strew_bucket_desc root = STREW_BUCKET_DESC_INIT;

	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "root");
	root.id = -1;
	root.name = "root";
	root.type = 1;
	strew_builder_add_bucket(builder, &root);
	for (int32_t id = 0; id < FIXTURE_DEVICES; id++) {
		strew_builder_add_device(builder, id, NULL, NULL);
		strew_builder_add_item(builder, -1, id, STREW_WEIGHT_ONE, 0);
	}
}

static void add_rule(strew_builder *builder, int32_t id, strew_kind kind, strew_op op)
{
	strew_builder_add_rule(builder, id, id ? "erasure" : "replicated", kind);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, op, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static void add_pools(strew_builder *builder)
{
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	pool.id = FIXTURE_REPLICATED;
	pool.name = "replicated";
	pool.pg_num = FIXTURE_PG_NUM;
	pool.size = 3;
	strew_builder_add_pool(builder, &pool);
	pool.id = FIXTURE_ERASURE;
	pool.name = "erasure";
	pool.kind = STREW_KIND_ERASURE;
	pool.size = 4;
	pool.rule = 1;
	strew_builder_add_pool(builder, &pool);
}

strew_builder *fixture_builder(const strew_allocator *allocator)
{
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_new(&builder, allocator), STREW_OK);
	add_tree(builder);
	add_rule(builder, 0, STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN);
	add_rule(builder, 1, STREW_KIND_ERASURE, STREW_OP_CHOOSE_INDEP);
	add_pools(builder);
	return builder;
}

strew_map *fixture_build(strew_builder *builder)
{
	strew_error error = {0};
	strew_map *map;

	ck_assert_msg(strew_builder_build(&map, builder, &error) == STREW_OK, "%s",
		      error.text);
	strew_builder_free(builder);
	return map;
}

strew_placer *fixture_placer(strew_builder *builder)
{
	strew_map *map = fixture_build(builder);
	strew_error error = {0};
	strew_placer *placer;

	ck_assert_msg(strew_placer_new(&placer, map, NULL, &error) == STREW_OK, "%s",
		      error.text);
	strew_map_release(map);
	return placer;
}

static void place(struct fixture_placed *out, strew_builder *builder, strew_pg pg)
{
	strew_placer *placer = fixture_placer(builder);
	strew_scratch *scratch;

	memset(&out->stages, 0, sizeof(out->stages));
	out->stages.raw = (strew_set){.devices = out->raw, .room = FIXTURE_ROOM};
	out->stages.up = (strew_set){.devices = out->up, .room = FIXTURE_ROOM};
	out->stages.acting = (strew_set){.devices = out->acting, .room = FIXTURE_ROOM};
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, pg, &out->stages, scratch), STREW_OK);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}

void fixture_place(struct fixture_placed *out, int64_t pool, uint32_t seed,
		   fixture_edit *edit)
{
	strew_pg pg = {.pool = pool, .seed = seed};
	strew_builder *builder;

	place(out, fixture_builder(NULL), pg);
	memcpy(out->before, out->raw, sizeof(out->before));
	if (edit == NULL)
		return;
	builder = fixture_builder(NULL);
	pg.seed = seed % FIXTURE_PG_NUM;
	edit(builder, pg, out->before);
	pg.seed = seed;
	place(out, builder, pg);
}

void fixture_assert_set(const strew_set *set, const int32_t *expected, int count)
{
	ck_assert_int_eq(set->count, count);
	for (int i = 0; i < count; i++)
		ck_assert_int_eq(set->devices[i], expected[i]);
}
