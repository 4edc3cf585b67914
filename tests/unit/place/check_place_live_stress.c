/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "fixture.h"
#include "place_priv.h"
#include "support.h"

/*
 * A publisher swaps thousands of placers under readers that look up as fast as
 * they can. Every epoch is a placer of its own, freed by whoever is last. In odd epochs
 * everything lies on devices 0 … 3, in even ones on 4 … 7, so that an answer of one map
 * has nothing of the other's; now and then a map needs more scratch than all before.
 */
#define SWAPS            4000
#define LOOKUPS_PER_SWAP 600
#define WAIT_EVERY       16
#define READERS          3
#define INPUTS           256
#define WANT             3
#define DAMAGE_MAX       10 /* wrong answers until a reader gives up */

struct stress {
	strew_live *live;
	strew_placer *first;
	int32_t answers[2][INPUTS][WANT];
	atomic_int_fast64_t offered;   /* the epoch being published … */
	atomic_int_fast64_t published; /* … and the last one whose publication is over */
	atomic_size_t lookups;
	atomic_size_t visits; /* of readers that come and go */
	atomic_bool over;
	atomic_size_t damage;
	pthread_t threads[READERS + 2];
};

static strew_placer *stress_placer(int64_t epoch)
{
	strew_builder *builder = fixture_builder(NULL);
	int msr_steps = (int)(epoch / 500);

	strew_builder_set_epoch(builder, epoch);
	for (int32_t id = 0; id < FIXTURE_DEVICES; id++)
		strew_builder_set_reweight(
			builder, id, (id < 4) == (epoch & 1) ? STREW_WEIGHT_ONE : 0);
	strew_builder_add_rule(builder, 2, "msr", STREW_KIND_MSR_INDEP);
	strew_builder_add_take(builder, -1);
	for (int i = 0; i < msr_steps; i++)
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 1, 0, "root");
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 4, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	return fixture_placer(builder);
}

/* The answers of a map, found without a live. */
static void fill_answers(struct stress *stress, int64_t epoch)
{
	strew_placer *placer = stress_placer(epoch);
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t x = 0; x < INPUTS; x++)
		ck_assert_int_eq(strew_place(placer, 0, x, stress->answers[epoch & 1][x],
					     WANT, scratch),
				 WANT);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}

/* One look-up: its epoch was in force, is not older than `*last`, and the answer is
 * wholly its own. */
static bool look_up(struct stress *stress, strew_reader *reader, uint32_t x,
		    int64_t *last)
{
	int64_t from = atomic_load(&stress->published), epoch;
	const strew_placer *placer = strew_reader_get(reader);
	int64_t to = atomic_load(&stress->offered);
	int32_t out[WANT];
	int count;

	epoch = strew_map_epoch(strew_placer_map(placer));
	count = strew_place(placer, 0, x, out, WANT, strew_reader_scratch(reader));
	if (epoch < from || epoch > to || epoch < *last || count != WANT)
		return false;
	*last = epoch;
	return memcmp(out, stress->answers[epoch & 1][x], sizeof(out)) == 0;
}

static void *read_on(void *shared)
{
	struct stress *stress = shared;
	strew_reader *reader;
	uint64_t random = 1;
	int64_t last = 0;

	if (strew_reader_new(&reader, stress->live) != STREW_OK)
		return NULL;
	while (!atomic_load(&stress->over) && atomic_load(&stress->damage) < DAMAGE_MAX) {
		for (int i = 0; i < 50; i++) {
			if (!look_up(stress, reader, support_below(&random, INPUTS),
				     &last))
				atomic_fetch_add(&stress->damage, 1);
		}
		atomic_fetch_add(&stress->lookups, 50);
		if (support_below(&random, 4) == 0)
			strew_reader_rest(reader);
	}
	strew_reader_free(reader);
	return NULL;
}

static void *come_and_go(void *shared)
{
	struct stress *stress = shared;
	strew_reader *reader;
	int64_t last = 0;

	while (!atomic_load(&stress->over)) {
		if (strew_reader_new(&reader, stress->live) != STREW_OK ||
		    !look_up(stress, reader, 7, &last))
			atomic_fetch_add(&stress->damage, 1);
		strew_reader_free(reader);
		atomic_fetch_add(&stress->visits, 1);
		sched_yield();
	}
	return NULL;
}

/* Publish over `old`, and give it up: at once, so that a reader frees it, or when no
 * reader holds it. */
static void publish_over(struct stress *stress, strew_placer *old, strew_placer *next,
			 int64_t epoch)
{
	atomic_store(&stress->offered, epoch);
	if (strew_live_publish(stress->live, next) != STREW_OK)
		atomic_fetch_add(&stress->damage, 1);
	atomic_store(&stress->published, epoch);
	if (epoch % WAIT_EVERY == 0) {
		while (strew_live_behind(stress->live) > 0)
			sched_yield();
		if (atomic_load(&old->refs.count) != 1)
			atomic_fetch_add(&stress->damage, 1);
	}
	strew_placer_release(old);
}

static void *publish_all(void *shared)
{
	struct stress *stress = shared;
	strew_placer *old = stress->first;

	for (int64_t epoch = 2; epoch <= SWAPS + 1; epoch++) {
		strew_placer *next = stress_placer(epoch);
		size_t enough = (size_t)(epoch - 1) * LOOKUPS_PER_SWAP;

		while (atomic_load(&stress->lookups) < enough &&
		       atomic_load(&stress->damage) < DAMAGE_MAX)
			sched_yield();
		publish_over(stress, old, next, epoch);
		old = next;
	}
	strew_placer_release(old);
	atomic_store(&stress->over, true);
	return NULL;
}

static void start_stress(struct stress *stress)
{
	fill_answers(stress, 1);
	fill_answers(stress, SWAPS);
	stress->first = stress_placer(1);
	ck_assert_int_eq(strew_live_new(&stress->live, stress->first), STREW_OK);
	atomic_store(&stress->offered, 1);
	atomic_store(&stress->published, 1);
}

START_TEST(answers_are_those_of_a_map_in_force_while_maps_are_swapped)
{
	static struct stress stress;

	start_stress(&stress);
	for (int i = 0; i < READERS + 2; i++) {
		void *(*work)(void *) = i < READERS    ? read_on
					: i == READERS ? come_and_go
						       : publish_all;

		ck_assert_int_eq(pthread_create(&stress.threads[i], NULL, work, &stress),
				 0);
	}
	for (int i = 0; i < READERS + 2; i++)
		pthread_join(stress.threads[i], NULL);
	strew_live_free(stress.live);
	ck_assert_uint_eq(atomic_load(&stress.damage), 0);
	ck_assert_uint_ge(atomic_load(&stress.lookups), (size_t)SWAPS * LOOKUPS_PER_SWAP);
	ck_assert_uint_gt(atomic_load(&stress.visits), 0);
	ck_assert_int_eq(atomic_load(&stress.published), SWAPS + 1);
}
END_TEST

TCase *check_place_live_stress(void)
{
	TCase *tcase = tcase_create("place_live_stress");

	tcase_set_tags(tcase, "contention");
	tcase_add_test(tcase, answers_are_those_of_a_map_in_force_while_maps_are_swapped);
	return tcase;
}
