/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ours.h"
#include "theirs.h"

/**
 * Random maps, built in the reference's own library and in ours, and every mapping
 * compared. All follows from the seed and a map's number, so --map repeats one map of a
 * run.
 */

#define EXIT_SKIPPED    77
#define INPUTS_PER_RULE 200
#define SHOWN_MAX       5

struct options {
	uint64_t seed;
	uint64_t mappings;
	double seconds;
	uint64_t map;
	bool one_map;
	const char *kernel; /* NULL: the best */
};

struct run {
	struct options options;
	struct peer peer;
	struct plan *plan;
	uint64_t map; /* the number of the one at hand */
	uint64_t maps;
	uint64_t mappings;
	uint64_t placed; /* mappings that are not empty */
	uint64_t mismatches;
};

static void print_set(const char *what, const int32_t *set, int count)
{
	printf("  %s:", what);
	for (int i = 0; i < count; i++)
		printf(" %d", (int)set[i]);
	printf("\n");
}

static void print_rule(const struct plan_rule *rule)
{
	for (int i = 0; i < rule->step_count; i++)
		printf("  step %d: op %d, %d, %d\n", i, (int)rule->steps[i].op,
		       (int)rule->steps[i].arg1, (int)rule->steps[i].arg2);
}

/** A mismatch, with all that is needed to see it again. */
static void show_mismatch(const struct run *run, int rule, uint32_t x)
{
	printf("mismatch: --seed %" PRIu64 " --map %" PRIu64
	       ", rule %d, %d wanted, x %" PRIu32 "\n",
	       run->options.seed, run->map, rule, run->plan->rules[rule].want, x);
	print_rule(&run->plan->rules[rule]);
}

/** Does the row have the set, and then holes? */
static bool row_equals(const int32_t *row, int want, const int32_t *set, int count)
{
	for (int i = 0; i < want; i++)
		if (row[i] != (i < count ? set[i] : STREW_NONE))
			return false;
	return true;
}

/** @param row what strew_place_many() gave for the input */
static void compare(struct run *run, const struct theirs *peer, const struct ours *ours,
		    int rule, uint32_t x, const int32_t *row)
{
	int32_t expected[PLAN_WANT_MAX];
	int32_t got[PLAN_WANT_MAX];
	int want = run->plan->rules[rule].want;
	int expected_count = theirs_place(peer, run->plan, rule, x, expected);
	int count = strew_place(ours->placer, rule, x, got, want, ours->scratch);

	run->mappings++;
	run->placed += expected_count > 0;
	if (count == expected_count &&
	    memcmp(expected, got, (size_t)count * sizeof(*got)) == 0 &&
	    row_equals(row, want, expected, expected_count))
		return;
	if (run->mismatches++ >= SHOWN_MAX)
		return;
	show_mismatch(run, rule, x);
	print_set("expected", expected, expected_count);
	print_set("got", got, count);
	print_set("got among many", row, want);
}

/** Half the inputs are small and in a row, as people use them. */
static uint32_t choose_input(struct plan *plan, int i)
{
	return i % 2 ? (uint32_t)support_random(&plan->random) : (uint32_t)i / 2;
}

static void compare_rule(struct run *run, const struct theirs *peer,
			 const struct ours *ours, int rule)
{
	static int32_t rows[INPUTS_PER_RULE * PLAN_WANT_MAX];
	uint32_t xs[INPUTS_PER_RULE];
	int want = run->plan->rules[rule].want;

	for (int i = 0; i < INPUTS_PER_RULE; i++)
		xs[i] = choose_input(run->plan, i);
	if (strew_place_many(ours->placer, rule, xs, INPUTS_PER_RULE, rows, want,
			     ours->scratch) != STREW_OK)
		run->mismatches++;
	for (int i = 0; i < INPUTS_PER_RULE; i++)
		compare(run, peer, ours, rule, xs[i], rows + i * want);
}

static void run_map(struct run *run, uint64_t number)
{
	/* Any odd constant would do: neighbours get seeds that have nothing in common. */
	uint64_t seed = run->options.seed ^ (number + 1) * 0xd1342543de82ef95u;
	struct theirs peer;
	struct ours ours;

	run->map = number;
	plan_make(run->plan, seed);
	theirs_make(&peer, &run->peer, run->plan);
	ours_make(&ours, run->plan, run->options.kernel);
	for (int rule = 0; rule < run->plan->rule_count; rule++)
		compare_rule(run, &peer, &ours, rule);
	ours_free(&ours);
	theirs_free(&peer);
	run->maps++;
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run_maps(struct run *run)
{
	double end = seconds_now() + run->options.seconds;

	if (run->options.one_map) {
		run_map(run, run->options.map);
		return;
	}
	for (uint64_t i = 0; run->mappings < run->options.mappings && seconds_now() < end;
	     i++)
		run_map(run, i);
}

static uint64_t parse_number(const char *text)
{
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || end == text || *end) {
		fprintf(stderr, "%s is not a number\n", text);
		exit(EXIT_FAILURE);
	}
	return number;
}

static void parse_options(struct options *options, int argc, char **argv)
{
	static const struct option names[] = {
		{"seed", required_argument, NULL, 's'},
		{"mappings", required_argument, NULL, 'm'},
		{"seconds", required_argument, NULL, 't'},
		{"map", required_argument, NULL, 'n'},
		{"kernel", required_argument, NULL, 'k'},
		{0},
	};
	int option;

	*options = (struct options){.seed = 1, .mappings = UINT64_MAX, .seconds = 1e9};
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (option == 's')
			options->seed = parse_number(optarg);
		else if (option == 'm')
			options->mappings = parse_number(optarg);
		else if (option == 't')
			options->seconds = (double)parse_number(optarg);
		else if (option == 'k')
			options->kernel = optarg;
		else if (option == 'n')
			options->map = parse_number(optarg);
		else
			exit(EXIT_FAILURE);
		options->one_map |= option == 'n';
	}
}

int main(int argc, char **argv)
{
	struct run run = {0};
	const char *missing;

	parse_options(&run.options, argc, argv);
	missing = peer_open(&run.peer);
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return EXIT_SKIPPED;
	}
	run.plan = malloc(sizeof(*run.plan));
	if (run.plan == NULL)
		return EXIT_FAILURE;
	run_maps(&run);
	free(run.plan);
	printf("%" PRIu64 " maps, %" PRIu64 " mappings, %" PRIu64
	       " of them not empty, %" PRIu64 " mismatches\n",
	       run.maps, run.mappings, run.placed, run.mismatches);
	return run.mappings && run.mismatches == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
