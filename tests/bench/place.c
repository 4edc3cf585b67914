/* SPDX-License-Identifier: MIT */
/*
 * bench_place [ROUNDS [MAP]]: placing, ours and the reference's library in turns, in one
 * thread; medians of ratios. Each kernel that the processor has, on the maps of
 * tree.h; MAP names one of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tree.h"

#define ROUNDS_MAX  999
#define INPUTS_MAX  16384
#define ROUND_NANOS 4e6 /* what a round of the reference should take */

struct pair {
	double peer;
	double ours;
};

/** What is measured: a rule of a map, by a kernel. */
struct subject {
	const struct tree *tree;
	const struct tree_rule *rule;
	bool single;
	uint32_t inputs;
};

static uint32_t inputs[INPUTS_MAX];
static int32_t rows[INPUTS_MAX * TREE_WANT_MAX];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double run_peer(const struct subject *subject)
{
	double start = now();

	for (uint32_t i = 0; i < subject->inputs; i++)
		tree_place_peer(subject->tree, subject->rule, inputs[i],
				rows + i * TREE_WANT_MAX);
	return (now() - start) / subject->inputs;
}

static double run_ours(const struct subject *subject, const struct ours *ours)
{
	const struct tree_rule *rule = subject->rule;
	double start = now();

	if (!subject->single) {
		strew_status status =
			strew_place_many(ours->placer, rule->id, inputs, subject->inputs,
					 rows, rule->want, ours->scratch);
		return status ? 0 : (now() - start) / subject->inputs;
	}
	for (uint32_t i = 0; i < subject->inputs; i++)
		strew_place(ours->placer, rule->id, inputs[i], rows, rule->want,
			    ours->scratch);
	return (now() - start) / subject->inputs;
}

static int compare_ratios(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;
	double x = a->peer / a->ours, y = b->peer / b->ours;

	return (x > y) - (x < y);
}

static void measure(struct subject *subject, const struct ours *ours, int rounds)
{
	struct pair pairs[ROUNDS_MAX];
	double least_peer = 1e30, least_ours = 1e30;

	for (int i = 0; i < rounds; i++) {
		pairs[i].peer = run_peer(subject);
		pairs[i].ours = run_ours(subject, ours);
		if (least_peer > pairs[i].peer)
			least_peer = pairs[i].peer;
		if (least_ours > pairs[i].ours)
			least_ours = pairs[i].ours;
	}
	qsort(pairs, (size_t)rounds, sizeof(*pairs), compare_ratios);
	printf("%-6s %-14s %-9s %-7s %9.0f %9.0f %6.1f  (%.1f … %.1f)\n",
	       subject->tree->name, subject->rule->name, ours->kernel,
	       subject->single ? "single" : "batch", least_peer, least_ours,
	       pairs[rounds / 2].peer / pairs[rounds / 2].ours,
	       pairs[rounds / 4].peer / pairs[rounds / 4].ours,
	       pairs[rounds * 3 / 4].peer / pairs[rounds * 3 / 4].ours);
	fflush(stdout);
}

static void choose_inputs(struct subject *subject)
{
	double cost;

	subject->inputs = 64;
	cost = run_peer(subject);
	subject->inputs = cost * INPUTS_MAX > ROUND_NANOS ? (uint32_t)(ROUND_NANOS / cost)
							  : INPUTS_MAX;
	if (subject->inputs < 64)
		subject->inputs = 64;
}

static void measure_tree(const struct tree *tree, int rounds)
{
	for (size_t i = 0; i < tree->rule_count; i++) {
		struct subject subject = {.tree = tree, .rule = &tree->rules[i]};

		choose_inputs(&subject);
		for (size_t k = 0; k < tree->ours_count; k++) {
			subject.single = false;
			measure(&subject, &tree->ours[k], rounds);
			subject.single = true;
			measure(&subject, &tree->ours[k], rounds);
		}
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 15;
	const char *only = argc > 2 ? argv[2] : NULL;
	struct peer peer;

	if (rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench_place [ROUNDS [MAP [KERNEL]]]\n");
		return EXIT_FAILURE;
	}
	if (!peer_open(&peer))
		return 77;
	for (uint32_t i = 0; i < INPUTS_MAX; i++)
		inputs[i] = i * 2654435761u;
	printf("map    rule           kernel    mode      peer ns   ours ns  ratio  "
	       "(quartiles)\n");
	for (size_t i = 0; i < tree_kind_count; i++) {
		struct tree tree;

		if (only && strcmp(only, tree_kinds[i].name) != 0)
			continue;
		tree_make(&tree, &tree_kinds[i], &peer, argc > 3 ? argv[3] : NULL);
		measure_tree(&tree, rounds);
		tree_free(&tree);
	}
	return EXIT_SUCCESS;
}
