/* SPDX-License-Identifier: MIT */
/* The chance that devices that fail at random, all at once, lose data. */
#include "analyze_fail_odds_priv.h"

#include <math.h>

#include "base_error.h"

double analyze_fail_choose(double n, int k)
{
	double ways = 1;

	if (k < 0 || n < k)
		return 0;
	for (int i = 0; i < k; i++)
		ways *= (n - i) / (i + 1);
	return ways;
}

double analyze_fail_chance(const struct fail_odds *odds, int n, int hit)
{
	double devices = (double)odds->count;

	return analyze_fail_choose(n, hit) *
	       analyze_fail_choose(devices - n, odds->failed - hit) /
	       analyze_fail_choose(devices, odds->failed);
}

double analyze_fail_tail(const struct fail_odds *odds, int n, int fatal)
{
	double sum = 0;

	for (int hit = fatal; hit <= n && hit <= odds->failed; hit++)
		sum += analyze_fail_chance(odds, n, hit);
	return sum;
}

/* Sets of one kind follow each other often; one is kept. */
struct tail {
	int n, fatal;
	double chance;
};

static double kept_tail(const struct fail_odds *odds, struct tail *tail, int n, int fatal)
{
	if (fatal == 0 || fatal > odds->failed)
		return 0;
	if (tail->n != n || tail->fatal != fatal)
		*tail = (struct tail){n, fatal, analyze_fail_tail(odds, n, fatal)};
	return tail->chance;
}

static double sum_sets(struct fail_odds *odds)
{
	struct tail tail = {.n = -1};
	double sum = 0;

	for (size_t i = 0; i < odds->sets->count; i++) {
		sum += kept_tail(odds, &tail, odds->sets->counts[i],
				 odds->sets->fatal[i]);
		odds->sums[i] = sum;
	}
	return sum;
}

/* Of all units, whether they share a set or not. */
static double sum_units(const struct fail_odds *odds)
{
	const struct fail *fail = odds->fail;
	struct tail tail = {.n = -1};
	double sum = 0;

	for (size_t i = 0; i < fail->plan.group_count; i++) {
		const struct analyze_group *group = &fail->plan.groups[i];
		int needed = fail->groups[i].needed;

		for (uint64_t unit = group->first; unit < group->first + group->count;
		     unit++) {
			const int32_t *set = fail->sets + unit * fail->room;
			int n = 0;

			for (size_t k = 0; k < fail->room; k++)
				n += set[k] >= 0;
			if (needed > 0 && n >= needed)
				sum += kept_tail(odds, &tail, n, n - needed + 1);
		}
	}
	return sum;
}

/* A device fails. @return how many sets that loses. */
static size_t hit_device(struct fail_odds *odds, int32_t device)
{
	const struct fail_sets *sets = odds->sets;
	size_t lost = 0;

	for (size_t at = sets->first[device]; at < sets->first[device + 1]; at++) {
		uint32_t set = sets->of[at];

		if (odds->hits[set]++ == 0)
			odds->touched[odds->touched_count++] = set;
		lost += sets->fatal[set] > 0 && odds->hits[set] == sets->fatal[set];
	}
	return lost;
}

static void forget_hits(struct fail_odds *odds)
{
	for (size_t i = 0; i < odds->touched_count; i++)
		odds->hits[odds->touched[i]] = 0;
	odds->touched_count = 0;
}

size_t analyze_fail_count_lost(struct fail_odds *odds)
{
	size_t lost = 0;

	for (int i = 0; i < odds->failed; i++)
		lost += hit_device(odds, odds->chosen[i]);
	forget_hits(odds);
	return lost;
}

double analyze_fail_look_cost(const struct fail_odds *odds)
{
	return odds->failed * (1 + (double)odds->sets->of_count / (double)odds->count);
}

static strew_status find_answer(struct fail_answer *answer, struct fail_odds *odds,
				int least)
{
	double ways = analyze_fail_choose((double)odds->count, odds->failed), sum,
	       fatal = 0;
	strew_status status = STREW_OK;

	*answer = (struct fail_answer){.exact = true};
	if (odds->failed < least)
		return STREW_OK;
	sum = sum_sets(odds);
	answer->expected = sum_units(odds);
	if (odds->failed == least && analyze_fail_is_listable(odds)) {
		status = analyze_fail_count_fatal(&fatal, odds);
		answer->chance = fatal / ways;
	} else if (ways * analyze_fail_look_cost(odds) < FAIL_ODDS_WORK) {
		answer->chance = analyze_fail_enumerate(odds);
	} else {
		analyze_fail_estimate(answer, odds, sum);
	}
	return status;
}

static bool open_odds(struct fail_odds *odds, struct base_arena *arena, struct fail *fail)
{
	size_t devices = fail->map->device_count + 1, sets = fail->distinct.count + 1;

	odds->fail = fail;
	odds->sets = &fail->distinct;
	odds->devices = base_arena_alloc(arena, devices, sizeof(*odds->devices));
	odds->sums = base_arena_alloc(arena, sets, sizeof(*odds->sums));
	odds->hits = base_arena_alloc(arena, sets, sizeof(*odds->hits));
	odds->touched = base_arena_alloc(arena, sets, sizeof(*odds->touched));
	odds->is_chosen = base_arena_alloc(arena, devices, sizeof(*odds->is_chosen));
	if (!odds->devices || !odds->sums || !odds->hits || !odds->touched ||
	    !odds->is_chosen)
		return false;
	for (size_t i = 0; i < fail->map->device_count; i++) {
		if (fail->devices[i].listed)
			odds->devices[odds->count++] = (int32_t)i;
	}
	return true;
}

/* The fewest devices that lose data; 0: no number does, as far as is known. */
static int least_fatal(const struct fail_sets *sets)
{
	int least = 0;

	for (size_t i = 0; i < sets->count; i++) {
		if (sets->fatal[i] > 0 && (least == 0 || sets->fatal[i] < least))
			least = sets->fatal[i];
	}
	return least;
}

static const struct result_column columns[] = {
	{"devices_failed", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"loss_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"loss_stderr_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"expected_pgs_lost", NULL, STREW_CELL_REAL, RESULT_PLAIN},
};

static void add_row(strew_table *table, int failed, const struct fail_answer *answer)
{
	result_row(table);
	result_integer(table, failed);
	result_real(table, 100 * answer->chance);
	result_real(table, 100 * answer->error);
	result_text(table, answer->exact ? "exact" : "estimate");
	result_real(table, answer->expected);
}

/* A sentence has the first number of devices that loses data, and two or three more. */
static bool is_told(int failed, int least)
{
	return failed == least || failed == least + 2 || failed == 10;
}

/* Of what is this rare a percentage says little. */
#define RARE 1e-4

/* "1 in 2540000", with three digits that count. */
static void add_rarity(struct base_str *text, double chance)
{
	double count = 1 / chance, unit = pow(10, floor(log10(count)) - 2);

	base_str_addf(text, "1 in %.0f", round(count / unit) * unit);
}

static void add_number(struct base_str *text, const struct fail_answer *answer)
{
	if (answer->chance > 0.999) {
		base_str_add(text, "over 99.9 %");
		return;
	}
	if (!answer->exact)
		base_str_add(text, "about ");
	if (answer->chance > 0 && answer->chance < RARE)
		add_rarity(text, answer->chance);
	else
		base_str_addf(text, "%.3g %%", 100 * answer->chance);
}

static void add_chance(struct base_str *text, const struct fail_odds *odds,
		       const struct fail_answer *answer)
{
	if (base_str_len(text) == 0 && odds->failed == 1)
		base_str_addf(text,
			      "Any one of %zu devices that fails loses data with a "
			      "chance of ",
			      odds->count);
	else if (base_str_len(text) == 0)
		base_str_addf(text,
			      "Any %d of %zu devices that fail at once lose data with a "
			      "chance of ",
			      odds->failed, odds->count);
	else
		base_str_addf(text, ", any %d with ", odds->failed);
	add_number(text, answer);
}

static strew_status fill_rows(strew_table *table, struct base_str *text,
			      struct fail_odds *odds)
{
	int most = odds->fail->how.most_failed, least = least_fatal(odds->sets);
	struct fail_answer answer;
	strew_status status = STREW_OK;

	for (int failed = 1; least > 0 && failed <= most && !status; failed++) {
		if ((size_t)failed > odds->count)
			break;
		odds->failed = failed;
		status = find_answer(&answer, odds, least);
		if (status)
			break;
		add_row(table, failed, &answer);
		if (is_told(failed, least))
			add_chance(text, odds, &answer);
	}
	return status;
}

strew_status analyze_fail_odds(struct fail *fail)
{
	struct fail_odds odds = {.failed = 0};
	struct base_arena arena;
	struct base_str text;
	strew_table *table =
		result_add_table(fail->result, "odds", NULL, columns,
				 sizeof(columns) / sizeof(columns[0]), RESULT_NO_TEXT);
	strew_status status;

	base_arena_init(&arena, fail->allocator);
	base_str_init(&text, fail->allocator);
	status = open_odds(&odds, &arena, fail) ? fill_rows(table, &text, &odds)
						: base_error_nomem(fail->error);
	if (base_str_len(&text) > 0)
		result_add_note(fail->result, "%s.", base_str_text(&text));
	if (!base_str_ok(&text))
		fail->out_of_memory = true;
	base_str_free(&text);
	base_arena_free(&arena);
	return status;
}
