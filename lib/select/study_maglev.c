/* SPDX-License-Identifier: MIT */
/* Eisenbud et al.: Maglev (2016). Nodes take turns at a table of a prime size: each takes
 * the next free row of a permutation of its own. Nodes that weigh less miss turns. */
#include "study.h"

#include "base_alloc.h"
#include "base_error.h"

static bool is_prime(uint32_t number)
{
	for (uint32_t i = 2; (uint64_t)i * i <= number; i++) {
		if (number % i == 0)
			return false;
	}
	return true;
}

static uint32_t row_count(const struct study_settings *settings)
{
	uint32_t rows = settings->rows < 2 ? 2 : settings->rows;

	while (!is_prime(rows))
		rows++;
	return rows;
}

/* Its first word is the number of rows. */
static uint64_t words(const struct study_source *source)
{
	return 1 + (uint64_t)row_count(source->settings);
}

/* A node's turns: in which round the next one comes, and where its permutation goes on.
 */
struct turn {
	uint64_t round;
	uint64_t taken;
	uint32_t node;
	uint32_t at;
	uint32_t skip;
};

/* The heaviest has a turn in each round; others when their weights add up to as much. */
static uint64_t next_round(const struct turn *turn, const struct study *study,
			   uint32_t most)
{
	uint32_t weight = study->weights[turn->node];

	return ((turn->taken + 1) * most + weight - 1) / weight;
}

static bool is_before(const struct turn *a, const struct turn *b)
{
	return a->round != b->round ? a->round < b->round : a->node < b->node;
}

/* Turns are a heap, so that the light cost nothing in rounds that they miss. */
static void sink(struct turn *turns, uint32_t count, uint32_t at)
{
	struct turn turn = turns[at];

	for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
		if (child + 1 < count && is_before(&turns[child + 1], &turns[child]))
			child++;
		if (is_before(&turn, &turns[child]))
			break;
		turns[at] = turns[child];
		at = child;
	}
	turns[at] = turn;
}

static uint32_t find_most(const struct study *study)
{
	uint32_t most = 0;

	for (uint32_t node = 0; node < study->count; node++)
		most = study->weights[node] > most ? study->weights[node] : most;
	return most;
}

static void start_turns(const struct study *study, uint32_t rows, struct turn *turns)
{
	uint32_t most = find_most(study);

	for (uint32_t node = 0; node < study->count; node++) {
		uint64_t hash = hash_finish(study_hash_at(study, node));

		turns[node] = (struct turn){
			.node = node,
			.at = (uint32_t)(hash % rows),
			.skip = 1 + (uint32_t)(hash_finish(hash) % (rows - 1)),
		};
		turns[node].round = next_round(&turns[node], study, most);
	}
	for (uint32_t at = study->count / 2; at-- > 0;)
		sink(turns, study->count, at);
}

static void take_row(struct turn *turn, uint32_t rows, uint32_t *owners)
{
	while (owners[turn->at] != STUDY_GONE)
		turn->at = (uint32_t)(((uint64_t)turn->at + turn->skip) % rows);
	owners[turn->at] = turn->node;
}

static void take_turns(const struct study *study, uint32_t rows, struct turn *turns,
		       uint32_t *owners)
{
	uint32_t most = find_most(study);

	for (uint32_t left = rows; left > 0; left--) {
		take_row(turns, rows, owners);
		turns->taken++;
		turns->round = next_round(turns, study, most);
		sink(turns, study->count, 0);
	}
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	uint32_t rows = row_count(study->settings);
	struct turn *turns = base_alloc(allocator, study->count, sizeof(*turns));

	(void)source;
	if (turns == NULL)
		return base_error_nomem(error);
	table[0] = rows;
	for (uint32_t row = 0; row < rows; row++)
		table[1 + row] = STUDY_GONE;
	start_turns(study, rows, turns);
	take_turns(study, rows, turns, table + 1);
	base_free(allocator, turns, study->count * sizeof(*turns));
	return STREW_OK;
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint32_t rows = study->table[0];

	return study_walk(study->table + 1, rows,
			  (uint32_t)(study_mix(study, key) % rows), want, nodes);
}

static const struct study_ops study = {
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_maglev = {
	.name = "maglev",
	.summary = "a table that nodes fill in turns",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
