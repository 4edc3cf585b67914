/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analyze_compare_priv.h"
#include "base_error.h"

#define SCHEMES_MAX 256

static strew_status check_options(const strew_compare_options *options,
				  strew_error *error)
{
	if (options->scheme_count < 1 || options->scheme_count > SCHEMES_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "1 to %d schemes are compared; not %zu",
				      SCHEMES_MAX, options->scheme_count);
	if (options->replicas < 1 || options->replicas > STREW_STUDY_WANT_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a key has 1 to %d replicas; not %zu",
				      STREW_STUDY_WANT_MAX, options->replicas);
	if (options->copies > STREW_STUDY_WANT_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a hot key has at most %d copies; not %zu",
				      STREW_STUDY_WANT_MAX, options->copies);
	return STREW_OK;
}

static strew_status find_scheme(struct compare_tally *tally, strew_error *error)
{
	const char *name = tally->options->scheme;

	for (size_t i = 0; strew_scheme_at(i, &tally->scheme) == STREW_OK; i++) {
		if (strcmp(tally->scheme.name, name) == 0)
			return STREW_OK;
	}
	return base_error_set(error, STREW_ENOTFOUND, "no scheme is named %.64s", name);
}

static void sum_requests(struct compare *compare)
{
	const strew_named_object *keys = compare->options.keys;

	for (size_t i = 0; keys && i < compare->options.key_count; i++)
		compare->requests += analyze_compare_requests(compare, i);
}

static strew_status count_schemes(struct compare *compare, struct compare_tally *tallies,
				  strew_error *error)
{
	const char *next = (const char *)compare->options.schemes;
	strew_status status = STREW_OK;

	for (size_t i = 0; i < compare->options.scheme_count && status == STREW_OK; i++) {
		tallies[i].options = (const strew_study_options *)next;
		next += tallies[i].options->size;
		status = find_scheme(&tallies[i], error);
		if (status == STREW_OK)
			status = analyze_compare_count(compare, &tallies[i], error);
	}
	return status;
}

static strew_status compare_all(strew_result **out, struct compare *compare,
				strew_error *error)
{
	size_t count = compare->options.scheme_count;
	struct compare_tally *tallies;
	strew_status status = analyze_compare_states(compare, error);

	if (status != STREW_OK)
		return status;
	tallies = base_arena_alloc(&compare->arena, count, sizeof(*tallies));
	if (tallies == NULL)
		return base_error_nomem(error);
	sum_requests(compare);
	status = count_schemes(compare, tallies, error);
	return status == STREW_OK ? analyze_compare_report(out, compare, tallies, error)
				  : status;
}

strew_status strew_compare(strew_result **out, const strew_compare_options *options,
			   const strew_run *run, strew_error *error)
{
	strew_compare_options all = STREW_COMPARE_OPTIONS_INIT;
	strew_run whole = STREW_RUN_INIT;
	struct compare compare = {.run = &whole};
	strew_status status;

	*out = NULL;
	analyze_read_options(&all, options);
	analyze_read_options(&whole, run);
	compare.options = all;
	compare.allocator = base_allocator_or_heap(whole.allocator);
	status = check_options(&all, error);
	if (status != STREW_OK)
		return status;
	base_arena_init(&compare.arena, compare.allocator);
	status = compare_all(out, &compare, error);
	base_arena_free(&compare.arena);
	return status;
}
