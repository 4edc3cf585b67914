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
 * compared: the reference places each input once, and every kernel places it among many
 * and alone. All follows from the seed and a map's number, so --map repeats one map of a
 * run.
 */

#define EXIT_SKIPPED 77
#define KERNELS_MAX  8
#define SHOWN_MAX    5

/* Each rule gets a few inputs. It gets more, as --more says, in blocks of the batch, when
 * those found all that they wanted and no step asks for many: other rules would take most
 * of the time. Where a bucket is large it gets a moderate number. */
#define INPUTS_FEW  20
#define INPUTS_MORE 180
#define INPUTS_MAX  20000
#define ITEMS_LARGE 120
#define COUNT_LARGE 6
/* Of very many one in so many is placed alone, too: it costs more than in the batch. */
#define ALONE_EVERY 8

struct options {
	uint64_t seed;
	uint64_t mappings;
	double seconds;
	uint64_t map;
	bool one_map;
	const char *kernel; /* NULL: each that there is */
	int more;
};

/** Inputs and what the reference places for them. */
struct expected {
	int count;
	int alone_every; /* one in so many is placed alone as well */
	uint32_t xs[INPUTS_MAX];
	int32_t sets[INPUTS_MAX][PLAN_WANT_MAX];
	int set_counts[INPUTS_MAX];
};

struct run {
	struct options options;
	struct peer peer;
	const char *kernels[KERNELS_MAX];
	int kernel_count;
	struct plan *plan;
	struct expected *expected;
	uint64_t map; /* the number of the one at hand */
	uint64_t maps;
	uint64_t mappings;
	uint64_t alone;  /* of them, those that were placed alone as well */
	uint64_t placed; /* of them, those that are not empty */
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
static void show_mismatch(const struct run *run, const char *kernel, int rule, uint32_t x)
{
	printf("mismatch: --seed %" PRIu64 " --map %" PRIu64
	       " --kernel %s, rule %d, %d wanted, x %" PRIu32 "\n",
	       run->options.seed, run->map, kernel, rule, run->plan->rules[rule].want, x);
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
static void compare(struct run *run, const struct ours *ours, int rule, int i,
		    const int32_t *row)
{
	const int32_t *expected = run->expected->sets[i];
	int expected_count = run->expected->set_counts[i];
	uint32_t x = run->expected->xs[i];
	int want = run->plan->rules[rule].want;
	bool equal = row_equals(row, want, expected, expected_count);
	int32_t got[PLAN_WANT_MAX];
	int count = 0;

	if (i % run->expected->alone_every == 0 || !equal) {
		count = strew_place(ours->placer, rule, x, got, want, ours->scratch);
		equal &= count == expected_count &&
			 memcmp(expected, got, (size_t)count * sizeof(*got)) == 0;
	}
	if (equal || run->mismatches++ >= SHOWN_MAX)
		return;
	show_mismatch(run, strew_placer_kernel(ours->placer), rule, x);
	print_set("expected", expected, expected_count);
	print_set("got", got, count);
	print_set("got among many", row, want);
}

static void compare_kernel(struct run *run, const struct ours *ours, int rule)
{
	static int32_t rows[INPUTS_MAX * PLAN_WANT_MAX];
	const struct expected *expected = run->expected;
	int want = run->plan->rules[rule].want;

	if (strew_place_many(ours->placer, rule, expected->xs, (size_t)expected->count,
			     rows, want, ours->scratch) != STREW_OK)
		run->mismatches++;
	for (int i = 0; i < expected->count; i++)
		compare(run, ours, rule, i, rows + i * want);
}

/** Half the inputs are small and in a row, as people use them. */
static uint32_t choose_input(struct plan *plan, int i)
{
	return i % 2 ? (uint32_t)support_random(&plan->random) : (uint32_t)i / 2;
}

static bool is_full(const int32_t *set, int count, int want)
{
	for (int i = 0; i < count; i++)
		if (set[i] == STREW_NONE)
			return false;
	return count == want;
}

/** @param start which inputs these are, of the rule's @return do all find all they want?
 */
static bool expect(struct run *run, const struct theirs *peer, int rule, int start,
		   int count)
{
	struct expected *expected = run->expected;
	int want = run->plan->rules[rule].want;
	bool full = true;

	expected->count = count;
	expected->alone_every = count > INPUTS_MORE ? ALONE_EVERY : 1;
	for (int i = 0; i < count; i++) {
		int32_t *set = expected->sets[i];
		int found;

		expected->xs[i] = choose_input(run->plan, start + i);
		found = theirs_place(peer, run->plan, rule, expected->xs[i], set);
		expected->set_counts[i] = found;
		run->placed += found > 0;
		full &= is_full(set, found, want);
	}
	run->mappings += (uint64_t)count;
	run->alone += (uint64_t)((count - 1) / expected->alone_every + 1);
	return full;
}

static void compare_kernels(struct run *run, const struct ours *ours, int rule)
{
	for (int i = 0; i < run->kernel_count; i++)
		compare_kernel(run, &ours[i], rule);
}

static bool has_large_bucket(const struct plan *plan)
{
	for (int i = 0; i < plan->bucket_count; i++)
		if (plan->buckets[i].count > ITEMS_LARGE)
			return true;
	return false;
}

/** In a step; one that sets tries is taken for one that chooses. */
static bool asks_for_many(const struct plan_rule *rule)
{
	for (int i = 0; i < rule->step_count; i++)
		if (rule->steps[i].op != STREW_OP_TAKE &&
		    rule->steps[i].arg1 > COUNT_LARGE)
			return true;
	return false;
}

static void compare_rule(struct run *run, const struct theirs *peer,
			 const struct ours *ours, int rule)
{
	bool full = expect(run, peer, rule, 0, INPUTS_FEW);
	int more = run->options.more;

	compare_kernels(run, ours, rule);
	if (more > INPUTS_MORE && has_large_bucket(run->plan))
		more = INPUTS_MORE;
	if (more == 0 || !full || asks_for_many(&run->plan->rules[rule]))
		return;
	expect(run, peer, rule, INPUTS_FEW, more);
	compare_kernels(run, ours, rule);
}

static void run_map(struct run *run, uint64_t number)
{
	/* Any odd constant would do: neighbours get seeds that have nothing in common. */
	uint64_t seed = run->options.seed ^ (number + 1) * 0xd1342543de82ef95u;
	struct theirs peer;
	struct ours ours[KERNELS_MAX];

	run->map = number;
	plan_make(run->plan, seed);
	theirs_make(&peer, &run->peer, run->plan);
	for (int i = 0; i < run->kernel_count; i++)
		ours_make(&ours[i], run->plan, run->kernels[i]);
	for (int rule = 0; rule < run->plan->rule_count; rule++)
		compare_rule(run, &peer, ours, rule);
	for (int i = 0; i < run->kernel_count; i++)
		ours_free(&ours[i]);
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
		{"more", required_argument, NULL, 'i'},
		{0},
	};
	int option;

	*options = (struct options){
		.seed = 1, .mappings = UINT64_MAX, .seconds = 1e9, .more = INPUTS_MORE};
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (option == 's')
			options->seed = parse_number(optarg);
		else if (option == 'm')
			options->mappings = parse_number(optarg);
		else if (option == 't')
			options->seconds = (double)parse_number(optarg);
		else if (option == 'k')
			options->kernel = optarg;
		else if (option == 'i')
			options->more = (int)parse_number(optarg) % (INPUTS_MAX + 1);
		else if (option == 'n')
			options->map = parse_number(optarg);
		else
			exit(EXIT_FAILURE);
		options->one_map |= option == 'n';
	}
}

static void list_kernels(struct run *run)
{
	const char *name = run->options.kernel;

	if (name != NULL)
		run->kernels[run->kernel_count++] = name;
	while (run->options.kernel == NULL && run->kernel_count < KERNELS_MAX &&
	       (name = strew_kernel_name((size_t)run->kernel_count)) != NULL)
		run->kernels[run->kernel_count++] = name;
}

static void print_result(const struct run *run)
{
	printf("%" PRIu64 " maps, %" PRIu64 " mappings, %" PRIu64
	       " of them not empty, %" PRIu64 " also alone; each by",
	       run->maps, run->mappings, run->placed, run->alone);
	for (int i = 0; i < run->kernel_count; i++)
		printf(" %s", run->kernels[i]);
	printf(": %" PRIu64 " mismatches\n", run->mismatches);
}

int main(int argc, char **argv)
{
	struct run run = {0};
	const char *missing;
	bool fine = false;

	parse_options(&run.options, argc, argv);
	missing = peer_open(&run.peer);
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return EXIT_SKIPPED;
	}
	list_kernels(&run);
	run.plan = malloc(sizeof(*run.plan));
	run.expected = malloc(sizeof(*run.expected));
	if (run.plan == NULL || run.expected == NULL)
		goto out;
	run_maps(&run);
	print_result(&run);
	fine = run.mappings && run.mismatches == 0;
out:
	free(run.expected);
	free(run.plan);
	return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
