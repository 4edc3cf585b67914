/* SPDX-License-Identifier: MIT */
/*
 * bench_kept [ROUNDS [INPUTS [KERNEL [MAP [RULE]]]]]: placements that are kept and follow
 * a change, against placing all again, in turns, in one thread; medians.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_maps.h"

#define ROUNDS_MAX 99
#define WANT_MAX   11

static void need(strew_status status, const strew_error *error)
{
	if (status == STREW_OK)
		return;
	fprintf(stderr, "%s\n", error->text);
	exit(EXIT_FAILURE);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static const char *const maps[] = {"b", "d"};

/* As the standard maps have them. */
static const struct rule {
	const char *name;
	int want;
} rules[] = {{"firstn-host", 3}, {"indep-host", 11}, {"firstn-rack", 3}};

#define RULES (sizeof(rules) / sizeof(rules[0]))

static const struct change {
	const char *name;
	const char *script;
} changes[] = {
	{"device out", "out osd.1234\n"},
	{"weight halved", "reweight osd.1234 0.25\n"},
	{"weight × 1.5", "reweight osd.1234 0.75\n"},
	{"two devices' weights", "reweight osd.1234 0.25\n"
				 "reweight osd.4000 0.75\n"},
	{"device gone", "remove osd.1234\n"},
};

#define CHANGES (sizeof(changes) / sizeof(changes[0]))

static strew_placer *make_placer(const strew_map *map, const char *kernel,
				 const struct change *change)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_error error = {0};
	const char *script = change ? change->script : "";
	strew_placer *placer;
	strew_map *changed;
	strew_edit *edit;

	need(strew_edit_new(&edit, map), &error);
	need(strew_edit_apply_script(edit, script, strlen(script), "change", &error),
	     &error);
	need(strew_edit_build(&changed, edit, &error), &error);
	strew_edit_free(edit);
	options.kernel = kernel;
	need(strew_placer_new(&placer, changed, &options, &error), &error);
	strew_map_release(changed);
	return placer;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare_doubles);
	return values[count / 2];
}

struct subject {
	const char *map;
	size_t rule;
	const struct change *change;
	strew_placer *before;
	strew_placer *after;
	const uint32_t *xs;
	uint32_t inputs;
	int32_t *rows;
	int rounds;
};

static double time_full(const struct subject *subject)
{
	strew_error error = {0};
	strew_scratch *scratch;
	double start;

	need(strew_scratch_new(&scratch, subject->after, &error), &error);
	start = now();
	need(strew_place_many(subject->after, (int32_t)subject->rule, subject->xs,
			      subject->inputs, subject->rows, rules[subject->rule].want,
			      scratch),
	     &error);
	start = now() - start;
	strew_scratch_free(scratch);
	return start;
}

static double time_update(strew_kept *kept, const strew_placer *placer)
{
	strew_error error = {0};
	double start = now();

	need(strew_kept_update(kept, placer, NULL, &error), &error);
	return now() - start;
}

static void check(const struct subject *subject, const strew_kept *kept)
{
	size_t want = (size_t)rules[subject->rule].want;

	for (size_t i = 0; i < subject->inputs; i++) {
		if (memcmp(strew_kept_row(kept, i), subject->rows + i * want,
			   want * sizeof(int32_t)) == 0)
			continue;
		fprintf(stderr, "input %zu differs\n", i);
		exit(EXIT_FAILURE);
	}
}

static void measure(const struct subject *subject)
{
	strew_kept_options options = STREW_KEPT_OPTIONS_INIT;
	double full[ROUNDS_MAX], there[ROUNDS_MAX], back[ROUNDS_MAX];
	strew_error error = {0};
	size_t placed = 0, placed_back = 0;
	strew_kept *kept;

	options.rule = (int32_t)subject->rule;
	options.want = rules[subject->rule].want;
	options.last = subject->inputs - 1;
	need(strew_kept_new(&kept, subject->before, &options, NULL, &error), &error);
	for (int i = 0; i < subject->rounds; i++) {
		full[i] = time_full(subject);
		there[i] = time_update(kept, subject->after);
		placed = strew_kept_placed(kept);
		check(subject, kept);
		back[i] = time_update(kept, subject->before);
		placed_back = strew_kept_placed(kept);
	}
	strew_kept_free(kept);
	printf("%-3s %-11s %-8s %-20s %8.1f  %7.2f %6.0f× %8zu  %7.2f %6.0f× %8zu\n",
	       subject->map, rules[subject->rule].name,
	       strew_placer_kernel(subject->after), subject->change->name,
	       median(full, subject->rounds), median(there, subject->rounds),
	       median(full, subject->rounds) / median(there, subject->rounds), placed,
	       median(back, subject->rounds),
	       median(full, subject->rounds) / median(back, subject->rounds),
	       placed_back);
	fflush(stdout);
}

/* `only`: the rule's name, or NULL for all of them. */
static void measure_map(struct subject *subject, const char *kernel, const char *only)
{
	strew_error error = {0};
	strew_map *map;

	need(bench_map_make(&map, subject->map), &error);
	subject->before = make_placer(map, kernel, NULL);
	for (size_t i = 0; i < CHANGES; i++) {
		subject->change = &changes[i];
		subject->after = make_placer(map, kernel, subject->change);
		for (subject->rule = 0; subject->rule < RULES; subject->rule++) {
			if (only == NULL || strcmp(only, rules[subject->rule].name) == 0)
				measure(subject);
		}
		strew_placer_release(subject->after);
	}
	strew_placer_release(subject->before);
	strew_map_release(map);
}

int main(int argc, char **argv)
{
	struct subject subject = {.rounds = argc > 1 ? atoi(argv[1]) : 7};
	uint32_t *xs;

	subject.inputs = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000000;
	if (subject.rounds < 1 || subject.rounds > ROUNDS_MAX || subject.inputs < 1) {
		fprintf(stderr,
			"usage: bench_kept [ROUNDS [INPUTS [KERNEL [MAP [RULE]]]]]\n");
		return EXIT_FAILURE;
	}
	xs = malloc(subject.inputs * sizeof(*xs));
	subject.rows = malloc((size_t)subject.inputs * WANT_MAX * sizeof(int32_t));
	if (xs == NULL || subject.rows == NULL)
		return EXIT_FAILURE;
	for (uint32_t i = 0; i < subject.inputs; i++)
		xs[i] = i;
	subject.xs = xs;
	printf("map rule        kernel   change                 all, ms  changed, ms  "
	       "placed "
	       "      and back\n");
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		subject.map = maps[i];
		if (argc <= 4 || strcmp(argv[4], maps[i]) == 0)
			measure_map(&subject, argc > 3 ? argv[3] : NULL,
				    argc > 5 ? argv[5] : NULL);
	}
	free(xs);
	free(subject.rows);
	return EXIT_SUCCESS;
}
