/* SPDX-License-Identifier: MIT */
/* Placing with a map from a stranger, where its tunables and steps bound how long that
 * takes. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "map.h"

#define RULES   8
#define POOLS   4
#define INPUTS  16
#define DEVICES 4
#define TRIES   50
#define STEPS   8

static bool is_quick_rule(const struct map_rule *rule)
{
	for (size_t i = 0; i < rule->step_count; i++)
		if (rule->steps[i].op != STREW_OP_TAKE && rule->steps[i].arg1 > TRIES)
			return false;
	return rule->step_count <= STEPS;
}

/* Without the local retries, which may never end, and without thousands of replicas or
 * tries. */
static bool is_quick(const strew_map *map)
{
	const struct map_tunables *t = &map->tunables;

	if (t->choose_local_tries || t->choose_local_fallback_tries ||
	    t->choose_total_tries > TRIES || t->msr_descents > 2 * TRIES ||
	    t->msr_collision_tries > 2 * TRIES)
		return false;
	for (size_t i = 0; i < map->rule_count; i++)
		if (!is_quick_rule(&map->rules[i]))
			return false;
	return true;
}

static void write_row(FILE *out, const int32_t *devices, int count)
{
	for (int i = 0; i < count; i++)
		fprintf(out, " %d", devices[i]);
	fprintf(out, "\n");
}

/* One by one and side by side, which must come to the same. */
static void place_rule(FILE *out, const strew_placer *placer, strew_scratch *scratch,
		       int32_t rule)
{
	int32_t many[INPUTS * DEVICES], one[DEVICES];
	uint32_t xs[INPUTS];

	for (uint32_t i = 0; i < INPUTS; i++)
		xs[i] = i;
	if (strew_place_many(placer, rule, xs, INPUTS, many, DEVICES, scratch) !=
	    STREW_OK)
		fuzz_fail("rule %d can't be placed", rule);
	for (uint32_t i = 0; i < INPUTS; i++) {
		int count = strew_place(placer, rule, i, one, DEVICES, scratch);

		for (int j = 0; j < DEVICES; j++)
			if (many[i * DEVICES + (uint32_t)j] !=
			    (j < count ? one[j] : STREW_NONE))
				fuzz_fail("rule %d places %u differently among others",
					  rule, i);
		fprintf(out, "%d %u:", rule, i);
		write_row(out, one, count);
	}
}

static void place_pool(FILE *out, const strew_placer *placer, strew_scratch *scratch,
		       const strew_pool *pool)
{
	for (uint32_t seed = 0; seed < strew_pool_pg_num(pool) && seed < INPUTS; seed++) {
		int32_t up[STREW_WANT_MAX], acting[STREW_WANT_MAX];
		strew_pg pg = {strew_pool_id(pool), seed};
		strew_stages stages = {.up = {up, STREW_WANT_MAX, 0, 0},
				       .acting = {acting, STREW_WANT_MAX, 0, 0}};

		if (strew_place_pg(placer, pg, &stages, scratch) != STREW_OK)
			fuzz_fail("pool %lld can't be placed", (long long)pg.pool);
		fprintf(out, "%lld.%x up %d:", (long long)pg.pool, seed,
			stages.up.primary);
		write_row(out, up, stages.up.count);
		fprintf(out, "acting %d:", stages.acting.primary);
		write_row(out, acting, stages.acting.count);
	}
}

static void place_all(FILE *out, const strew_placer *placer)
{
	const strew_map *map = strew_placer_map(placer);
	strew_scratch *scratch;
	strew_error error;

	if (strew_scratch_new(&scratch, placer, &error) != STREW_OK)
		fuzz_fail("there is no scratch space: %s", error.text);
	for (size_t i = 0; i < strew_map_rule_count(map) && i < RULES; i++)
		place_rule(out, placer, scratch, strew_map_rule_at(map, i));
	for (size_t i = 0; i < strew_map_pool_count(map) && i < POOLS; i++)
		place_pool(out, placer, scratch, strew_map_pool_at(map, i));
	strew_scratch_free(scratch);
}

struct fuzz_text fuzz_place(const strew_map *map, const struct support_heap *heap)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_placer *placer = NULL;
	strew_error error = {.text = ""};
	struct fuzz_text text;
	FILE *out = fuzz_open(&text);
	strew_status status;

	options.allocator = &heap->allocator;
	status = strew_placer_new(&placer, map, &options, &error);
	if (status == STREW_OK && is_quick(map))
		place_all(out, placer);
	else if (status != STREW_OK && (status == STREW_ENOMEM || !error.text[0]))
		fuzz_fail("can't be compiled: %s: %s", strew_status_name(status),
			  error.text);
	strew_placer_release(placer);
	fclose(out);
	return text;
}
