/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <strew/study.h>

#include "support.h"

#define NODES_MAX 64
#define KEYS      20000

static char names[NODES_MAX + 1][16];
static strew_study_node nodes[NODES_MAX + 1];

/* proxy-1 … */
static void name_nodes(void)
{
	for (int i = 0; i <= NODES_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "proxy-%d", i + 1);
		nodes[i] = (strew_study_node){names[i], 0x10000};
	}
}

static strew_study *make(const char *scheme, size_t count)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;
	strew_error error = {0};

	options.scheme = scheme;
	options.rows = strcmp(scheme, "glb") == 0 ? 8192 : 0;
	ck_assert_msg(strew_study_new(&study, &options, nodes, count, &error) == STREW_OK,
		      "%s: %s", scheme, error.text);
	return study;
}

static strew_study *change(const strew_study *old, const strew_study_node *list,
			   size_t count)
{
	strew_study *study = NULL;

	ck_assert_int_eq(strew_study_change(&study, old, list, count, NULL), STREW_OK);
	return study;
}

/* A key's hash: any are as good as those of names. */
static uint64_t key_at(uint32_t index)
{
	return strew_study_mix(index + 12345);
}

static uint32_t first_of(const strew_study *study, uint64_t key)
{
	uint32_t node = UINT32_MAX;

	ck_assert_uint_eq(strew_study_pick_hash(study, key, 1, &node), 1);
	return node;
}

static strew_scheme scheme_at(int index)
{
	strew_scheme scheme;

	ck_assert_int_eq(strew_scheme_at((size_t)index, &scheme), STREW_OK);
	return scheme;
}

/* Labels, rows and 16 bits make shares uneven by more than chance: their deviation, as a
 * part of a share. */
static double unevenness(const char *name)
{
	if (strncmp(name, "ring", 4) == 0)
		return 0.1;
	if (strcmp(name, "glb") == 0)
		return 0.035;
	return strcmp(name, "partitions") == 0 ? 0.01 : 0.003;
}

static bool is_uneven_on_purpose(const strew_scheme *scheme)
{
	return scheme->flags & STREW_SCHEME_WRONG || strcmp(scheme->name, "uniform") == 0;
}

static void expect_shares(const char *scheme, const strew_study *study, size_t count,
			  const double *shares)
{
	uint32_t counts[NODES_MAX] = {0};

	for (uint32_t i = 0; i < KEYS; i++)
		counts[first_of(study, key_at(i))]++;
	for (size_t i = 0; i < count; i++) {
		double mean = KEYS * shares[i];
		double deviation = hypot(sqrt(mean), mean * unevenness(scheme));

		ck_assert_msg(fabs(counts[i] - mean) < 5 * deviation + 1e-9,
			      "%s: node %zu has %u keys, not %.0f", scheme, i, counts[i],
			      mean);
	}
}

START_TEST(nodes_share_alike)
{
	strew_scheme scheme = scheme_at(_i);
	double shares[8];
	strew_study *study;

	if (is_uneven_on_purpose(&scheme))
		return;
	for (int i = 0; i < 8; i++)
		shares[i] = 1.0 / 8;
	study = make(scheme.name, 8);
	expect_shares(scheme.name, study, 8, shares);
	ck_assert(strcmp(scheme.name, "straw2") != 0 || strew_study_bytes(study) > 0);
	strew_study_free(study);
}
END_TEST

START_TEST(nodes_share_by_weight)
{
	static const uint32_t weights[] = {1, 1, 1, 1, 2, 2, 4, 4, 0};
	strew_scheme scheme = scheme_at(_i);
	double shares[9];
	strew_study *study;

	if (is_uneven_on_purpose(&scheme) || !(scheme.flags & STREW_SCHEME_WEIGHTED) ||
	    strcmp(scheme.name, "straw") == 0)
		return;
	for (int i = 0; i < 9; i++) {
		nodes[i].weight = weights[i] << 16;
		shares[i] = weights[i] / 16.0;
	}
	study = make(scheme.name, 9);
	expect_shares(scheme.name, study, 9, shares);
	strew_study_free(study);
}
END_TEST

START_TEST(replicas_are_on_different_nodes)
{
	strew_scheme scheme = scheme_at(_i);
	strew_study *study = make(scheme.name, 7);
	uint32_t out[STREW_STUDY_WANT_MAX];

	for (uint32_t i = 0; i < 2000; i++) {
		size_t want = i % 4 ? 3 : 7;
		size_t count = strew_study_pick_hash(study, key_at(i), want, out);

		if (!(scheme.flags & STREW_SCHEME_WRONG))
			ck_assert_uint_eq(count, want);
		for (size_t a = 0; a < count; a++) {
			ck_assert_uint_lt(out[a], 7);
			for (size_t b = 0; b < a; b++)
				ck_assert_uint_ne(out[a], out[b]);
		}
		ck_assert_uint_eq(out[0], first_of(study, key_at(i)));
	}
	strew_study_free(study);
}
END_TEST

/* Which keys moved between nodes that were there before and after? */
static uint32_t moved_between_old(const strew_study *from, const strew_study *to,
				  uint32_t gone, uint32_t *moved)
{
	uint32_t between = 0;

	*moved = 0;
	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t was = first_of(from, key_at(i)), is = first_of(to, key_at(i));

		/* Nodes after the one that is gone have moved up in the list. */
		if (is >= gone)
			is++;
		*moved += was != is;
		between += was != is && was != gone && is < 8;
	}
	return between;
}

/* Those that promise it move nothing between nodes that stay. */
static bool is_consistent(const char *name)
{
	static const char *const consistent[] = {
		"ring",      "ring-short", "rendezvous", "rendezvous-log",
		"groups",    "glb",        "hash-slots", "straw2",
		"straw2-32", "straw2-48",  "partitions", NULL,
	};

	for (int i = 0; consistent[i]; i++) {
		if (strcmp(consistent[i], name) == 0)
			return true;
	}
	return false;
}

START_TEST(losing_a_node_moves_its_keys_only)
{
	const char *name = scheme_at(_i).name;
	strew_study *before = make(name, 8), *after;
	strew_study_node left[7];
	uint32_t between, moved;

	for (int i = 0; i < 7; i++)
		left[i] = nodes[i + (i >= 2)];
	after = change(before, left, 7);
	between = moved_between_old(before, after, 2, &moved);
	if (is_consistent(name)) {
		ck_assert_uint_eq(between, 0);
		ck_assert_uint_lt(moved, KEYS / 8 * 4 / 3);
	} else if (strcmp(name, "modulo") == 0) {
		ck_assert_uint_gt(between, KEYS / 2);
	}
	strew_study_free(before);
	strew_study_free(after);
}
END_TEST

START_TEST(gaining_a_node_moves_keys_to_it_only)
{
	const char *name = scheme_at(_i).name;
	strew_study *before = make(name, 8), *after = change(before, nodes, 9);
	uint32_t between, moved;

	between = moved_between_old(before, after, UINT32_MAX, &moved);
	if (is_consistent(name) || strcmp(name, "jump") == 0) {
		ck_assert_uint_eq(between, 0);
		ck_assert_uint_lt(moved, KEYS / 9 * 4 / 3);
		ck_assert_uint_gt(moved, KEYS / 9 * 2 / 3);
	}
	strew_study_free(before);
	strew_study_free(after);
}
END_TEST

START_TEST(rendezvous_has_the_printed_order)
{
	static const uint32_t order[] = {5, 4, 6, 8, 7, 3, 2, 1};
	strew_study *study = make("rendezvous", 8);
	uint32_t out[8];

	ck_assert_uint_eq(strew_study_pick(study, "hello", 5, 8, out), 8);
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(out[i] + 1, order[i]);
	strew_study_free(study);
}
END_TEST

/* All who ask agree, in whatever order they have the nodes. */
START_TEST(rendezvous_heeds_no_order)
{
	strew_study_node turned[8];
	strew_study *study = make("rendezvous", 8), *other;

	for (int i = 0; i < 8; i++)
		turned[i] = nodes[7 - i];
	other = change(study, turned, 8);
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(first_of(study, key_at(i)),
				  7 - first_of(other, key_at(i)));
	strew_study_free(study);
	strew_study_free(other);
}
END_TEST

static const struct {
	uint64_t key;
	size_t count;
	uint32_t node;
} jumps[] = {
	{1, 1, 0},
	{42, 57, 43},
	{0xDEAD10CC, 666, 361},
	{256, 1024, 520},
};

START_TEST(jump_has_the_published_vectors)
{
	static strew_study_node many[1024];
	static char many_names[1024][8];
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;

	for (int i = 0; i < 1024; i++) {
		snprintf(many_names[i], sizeof(many_names[i]), "n%d", i);
		many[i] = (strew_study_node){many_names[i], 0x10000};
	}
	options.scheme = "jump";
	options.raw = 1;
	ck_assert_int_eq(strew_study_new(&study, &options, many, jumps[_i].count, NULL),
			 STREW_OK);
	ck_assert_uint_eq(first_of(study, jumps[_i].key), jumps[_i].node);
	strew_study_free(study);
}
END_TEST

START_TEST(modulo_of_folded_md5_has_the_printed_slots)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;
	uint32_t node;

	options.scheme = "modulo";
	options.hash = "md5-folded";
	options.raw = 1;
	ck_assert_int_eq(strew_study_new(&study, &options, nodes, 32, NULL), STREW_OK);
	ck_assert_uint_eq(strew_study_pick(study, "consistent", 10, 1, &node), 1);
	ck_assert_uint_eq(node, 14);
	strew_study_free(study);
}
END_TEST

START_TEST(slots_move_as_few_as_can_be)
{
	strew_study *before = make("hash-slots", 8), *after = change(before, nodes, 9);
	uint32_t moved = 0;

	/* Hashes are used as they come, so that these are all slots. */
	for (uint32_t slot = 0; slot < 16384; slot++)
		moved += first_of(before, slot) != first_of(after, slot);
	ck_assert_uint_eq(moved, 16384 / 9);
	strew_study_free(before);
	strew_study_free(after);
}
END_TEST

START_TEST(partitions_move_as_few_as_can_be)
{
	strew_study *before = make("partitions", 8), *after = change(before, nodes, 9);
	uint32_t moved = 0;
	double mean = KEYS / 9.0;

	for (uint32_t i = 0; i < KEYS; i++)
		moved += first_of(before, key_at(i)) != first_of(after, key_at(i));
	ck_assert_double_eq_tol(moved, mean, 5 * sqrt(mean) + KEYS / 1024.0);
	strew_study_free(before);
	strew_study_free(after);
}
END_TEST

START_TEST(no_nodes_no_answer)
{
	const char *name = scheme_at(_i).name;
	strew_study_node out = {"gone", 0};
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;
	uint32_t node;

	options.scheme = name;
	ck_assert_int_eq(strew_study_new(&study, &options, &out, 0, NULL), STREW_OK);
	ck_assert_uint_eq(strew_study_pick_hash(study, 1, 1, &node), 0);
	strew_study_free(study);
	ck_assert_int_eq(strew_study_new(&study, &options, &out, 1, NULL), STREW_OK);
	ck_assert_uint_eq(strew_study_pick_hash(study, 1, 1, &node), 0);
	ck_assert_uint_eq(strew_study_pick_hash(study, 1, 0, &node), 0);
	strew_study_free(study);
}
END_TEST

/* Fewer places than nodes: those without one stand in as replicas. */
static const char *const owned[] = {"hash-slots", "partitions", "maglev"};

START_TEST(replicas_are_enough_with_few_rows)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;
	uint32_t out[7], seen = 0;

	options.scheme = owned[_i];
	options.rows = 4;
	ck_assert_int_eq(strew_study_new(&study, &options, nodes, 7, NULL), STREW_OK);
	ck_assert_uint_eq(strew_study_pick_hash(study, key_at(1), 7, out), 7);
	for (int i = 0; i < 7; i++)
		seen |= 1u << out[i];
	ck_assert_uint_eq(seen, 0x7f);
	strew_study_free(study);
}
END_TEST

/* However long a name is, its labels differ. */
START_TEST(labels_of_long_names_differ)
{
	static char long_name[2000];
	strew_study *study;
	uint32_t count = 0;

	memset(long_name, 'n', sizeof(long_name) - 1);
	nodes[0].name = long_name;
	study = make("ring", 2);
	for (uint32_t i = 0; i < KEYS; i++)
		count += first_of(study, key_at(i)) == 0;
	ck_assert_uint_gt(count, KEYS / 3);
	ck_assert_uint_lt(count, KEYS * 2 / 3);
	strew_study_free(study);
}
END_TEST

/* Sums of the largest weights overflow nothing, even with tiny ones that round up. */
START_TEST(groups_add_up_the_largest_weights)
{
	static const uint32_t weights[] = {0xfffffffe, 0xfffffffe, 1, 1, 1};
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;

	for (int i = 0; i < 5; i++)
		nodes[i].weight = weights[i];
	options.scheme = "groups";
	options.branch = 4;
	ck_assert_int_eq(strew_study_new(&study, &options, nodes, 5, NULL), STREW_OK);
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_lt(first_of(study, key_at(i)), 2);
	strew_study_free(study);
}
END_TEST

#define MANY 50000

/* One heavy node and a great many light ones, which miss nearly every turn. */
START_TEST(maglev_passes_over_missed_turns)
{
	static strew_study_node many[MANY];
	static char many_names[MANY][8];
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;

	for (int i = 0; i < MANY; i++) {
		snprintf(many_names[i], sizeof(many_names[i]), "n%d", i);
		many[i] = (strew_study_node){many_names[i], 1};
	}
	many[7].weight = UINT32_MAX;
	options.scheme = "maglev";
	options.rows = 1 << 22;
	ck_assert_int_eq(strew_study_new(&study, &options, many, MANY, NULL), STREW_OK);
	for (uint32_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(first_of(study, key_at(i)), 7);
	strew_study_free(study);
}
END_TEST

START_TEST(nothing_may_follow_nothing)
{
	strew_study *study = make(scheme_at(_i).name, 0), *none = change(study, nodes, 0),
		    *some = change(none, nodes, 3);

	ck_assert_uint_lt(first_of(some, 1), 3);
	strew_study_free(study);
	strew_study_free(none);
	strew_study_free(some);
}
END_TEST

START_TEST(failed_allocations_are_told)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	struct support_heap heap;
	strew_status status = STREW_ENOMEM;

	options.scheme = scheme_at(_i).name;
	options.rows = 16;
	support_heap_init(&heap);
	options.allocator = &heap.allocator;
	for (heap.fail_at = 1; status == STREW_ENOMEM; heap.fail_at++) {
		strew_study *study = NULL, *next = NULL;

		heap.calls = 0;
		status = strew_study_new(&study, &options, nodes, 5, NULL);
		if (status == STREW_OK) {
			status = strew_study_change(&next, study, nodes, 4, NULL);
			strew_study_free(next);
		}
		strew_study_free(study);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(heap.fail_at, 4);
}
END_TEST

static const struct {
	strew_study_options options;
	strew_status status;
} refused[] = {
	{{sizeof(strew_study_options), "rnig", 0, -1, 100, "#", 0, 0, 16, 0},
	 STREW_ENOTFOUND},
	{{sizeof(strew_study_options), NULL, 0, -1, 100, "#", 0, 0, 16, 0},
	 STREW_ENOTFOUND},
	{{sizeof(strew_study_options), "ring", "md4", -1, 100, "#", 0, 0, 16, 0},
	 STREW_ENOTFOUND},
	{{sizeof(strew_study_options), "ring", 0, -1, 0, "#", 0, 0, 16, 0}, STREW_ERANGE},
	{{sizeof(strew_study_options), "ring", 0, -1, 4097, "#", 0, 0, 16, 0},
	 STREW_ERANGE},
	{{sizeof(strew_study_options), "glb", 0, -1, 1, "#", 0, 1 << 25, 16, 0},
	 STREW_ERANGE},
	{{sizeof(strew_study_options), "groups", 0, -1, 1, "#", 0, 0, 1, 0},
	 STREW_ERANGE},
	{{sizeof(strew_study_options), "ring", 0, -1, 1, "0123456789abcdef", 0, 0, 2, 0},
	 STREW_ERANGE},
};

START_TEST(wrong_options_are_refused)
{
	strew_study *study = NULL;
	strew_error error = {0};

	ck_assert_int_eq(strew_study_new(&study, &refused[_i].options, nodes, 3, &error),
			 refused[_i].status);
	ck_assert_ptr_null(study);
	ck_assert_uint_gt(strlen(error.text), 10);
}
END_TEST

START_TEST(two_nodes_of_one_name_are_refused)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;

	options.scheme = "ring";
	nodes[3].name = nodes[1].name;
	ck_assert_int_eq(strew_study_new(&study, &options, nodes, 5, NULL), STREW_EINVAL);
}
END_TEST

TCase *check_place_study(void)
{
	TCase *tcase = tcase_create("place_study");
	strew_scheme scheme;
	int schemes = 0;

	while (strew_scheme_at((size_t)schemes, &scheme) == STREW_OK)
		schemes++;
	tcase_add_checked_fixture(tcase, name_nodes, NULL);
	tcase_add_loop_test(tcase, nodes_share_alike, 0, schemes);
	tcase_add_loop_test(tcase, nodes_share_by_weight, 0, schemes);
	tcase_add_loop_test(tcase, replicas_are_on_different_nodes, 0, schemes);
	tcase_add_loop_test(tcase, losing_a_node_moves_its_keys_only, 0, schemes);
	tcase_add_loop_test(tcase, gaining_a_node_moves_keys_to_it_only, 0, schemes);
	tcase_add_test(tcase, rendezvous_has_the_printed_order);
	tcase_add_test(tcase, rendezvous_heeds_no_order);
	tcase_add_loop_test(tcase, jump_has_the_published_vectors, 0,
			    sizeof(jumps) / sizeof(jumps[0]));
	tcase_add_test(tcase, modulo_of_folded_md5_has_the_printed_slots);
	tcase_add_test(tcase, slots_move_as_few_as_can_be);
	tcase_add_test(tcase, partitions_move_as_few_as_can_be);
	tcase_add_loop_test(tcase, replicas_are_enough_with_few_rows, 0,
			    sizeof(owned) / sizeof(owned[0]));
	tcase_add_test(tcase, labels_of_long_names_differ);
	tcase_add_test(tcase, groups_add_up_the_largest_weights);
	tcase_add_test(tcase, maglev_passes_over_missed_turns);
	tcase_add_loop_test(tcase, nothing_may_follow_nothing, 0, schemes);
	tcase_add_loop_test(tcase, no_nodes_no_answer, 0, schemes);
	tcase_add_loop_test(tcase, failed_allocations_are_told, 0, schemes);
	tcase_add_loop_test(tcase, wrong_options_are_refused, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tcase, two_nodes_of_one_name_are_refused);
	return tcase;
}
