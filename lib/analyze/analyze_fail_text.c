/* SPDX-License-Identifier: MIT */
#include "analyze_fail_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NAMES_MAX 4

double analyze_fail_percent(const struct fail *fail, double use)
{
	return fail->absolute ? 100 * use : NAN;
}

const char *analyze_fail_passed(const struct fail *fail, double use, double *percent)
{
	const struct {
		const char *name;
		double percent;
	} ratios[] = {{"full", 100 * fail->ratios.full},
		      {"backfillfull", 100 * fail->ratios.backfillfull},
		      {"nearfull", 100 * fail->ratios.nearfull}};
	double fill = analyze_fail_percent(fail, use);

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		*percent = ratios[i].percent;
		if (fill > ratios[i].percent)
			return ratios[i].name;
	}
	return NULL;
}

/* All loads grow alike, and then what the fullest device has by what all have. One unit
 * alone is no load that could grow so. */
double analyze_fail_safe_fill(const struct fail *fail, const struct fail_case *found)
{
	if (found->unhealable > 0 || !(found->fullest_use > 0) ||
	    (fail->plan.units == 1 && fail->basis != FAIL_USE))
		return NAN;
	return fail->ratios.backfillfull * fail->fill / found->fullest_use;
}

void analyze_fail_add_name(struct base_str *text, const struct fail *fail,
			   const struct fail_case *found)
{
	for (size_t i = 0; i < found->items && i < NAMES_MAX; i++)
		base_str_addf(
			text, "%s%s", i > 0 ? " + " : "",
			analyze_item_name(fail->map, fail->items[found->first + i]));
	if (found->items > NAMES_MAX)
		base_str_addf(text, " and %zu more", found->items - NAMES_MAX);
}

static int compare_numbers(double a, double b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int compare_cases(const void *left, const void *right, void *ctx)
{
	const struct fail_case *cases = ctx;
	uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
	const struct fail_case *a = &cases[first], *b = &cases[second];
	int order = compare_numbers((double)a->lost, (double)b->lost);

	if (order == 0)
		order = compare_numbers((double)a->unhealable, (double)b->unhealable);
	if (order == 0)
		order = compare_numbers((double)a->below_min_size,
					(double)b->below_min_size);
	if (order == 0)
		order = compare_numbers(a->fullest_use, b->fullest_use);
	if (order == 0)
		order = compare_numbers((double)a->shards_lost, (double)b->shards_lost);
	return order ? order : first < second ? -1 : 1;
}

void analyze_fail_sort(struct fail *fail)
{
	for (size_t i = 0; i < fail->case_count; i++)
		fail->order[i] = (uint32_t)i;
	qsort_r(fail->order, fail->case_count, sizeof(*fail->order), compare_cases,
		fail->cases);
}

static void take_most(const struct fail_case **most, size_t *cases,
		      const struct fail_case *found, uint64_t value, uint64_t best)
{
	*cases += value > 0;
	if (value > best)
		*most = found;
}

static void total_case(struct fail_totals *totals, const struct fail *fail,
		       const struct fail_case *found)
{
	double safe = analyze_fail_safe_fill(fail, found);

	take_most(&totals->most_lost, &totals->lose, found, found->lost,
		  totals->most_lost ? totals->most_lost->lost : 0);
	take_most(&totals->most_stopped, &totals->stop, found, found->below_min_size,
		  totals->most_stopped ? totals->most_stopped->below_min_size : 0);
	take_most(&totals->most_stuck, &totals->stick, found, found->unhealable,
		  totals->most_stuck ? totals->most_stuck->unhealable : 0);
	totals->lost_unknown |= found->lost_unknown;
	totals->below_unknown |= found->below_unknown;
	totals->overfill += analyze_fail_percent(fail, found->fullest_use) >
			    100 * fail->ratios.backfillfull;
	if (found->fullest >= 0 &&
	    (!totals->fullest || found->fullest_use > totals->fullest->fullest_use))
		totals->fullest = found;
	if (isfinite(safe) && !(safe >= totals->safe_fill)) {
		totals->safe_fill = safe;
		totals->least_safe = found;
	}
}

struct fail_totals analyze_fail_total(const struct fail *fail)
{
	struct fail_totals totals = {.safe_fill = NAN};

	for (size_t i = 0; i < fail->case_count; i++)
		total_case(&totals, fail, &fail->cases[fail->order[i]]);
	return totals;
}

static const char *unit_name(const struct fail *fail)
{
	static const char *const names[] = {[ANALYZE_PGS] = "PG",
					    [ANALYZE_RAW] = "input",
					    [ANALYZE_OBJECTS] = "object"};

	return names[fail->plan.kind];
}

static bool is_single(const struct fail *fail)
{
	return fail->case_count == 1;
}

static void add_subject(struct base_str *text, const struct fail *fail)
{
	bool pairs = fail->how.what == STREW_FAIL_PAIRS;

	if (is_single(fail)) {
		analyze_fail_add_name(text, fail, fail->cases);
		base_str_add(text, " down: ");
		return;
	}
	base_str_addf(text, "any %s of ", pairs ? "two" : "one");
	analyze_add_count(text, fail->item_count, fail->how.type);
	base_str_add(text, " down: ");
}

/* "12 PGs lost (r4)" */
static void add_most(struct base_str *text, const struct fail *fail, uint64_t count,
		     const char *what, const struct fail_case *found)
{
	base_str_addf(text, "%s", is_single(fail) ? "" : "up to ");
	analyze_add_count(text, (size_t)count, unit_name(fail));
	base_str_addf(text, " %s", what);
	if (is_single(fail))
		return;
	base_str_add(text, " (");
	analyze_fail_add_name(text, fail, found);
	base_str_add(text, ")");
}

static void add_loss(struct base_str *text, const struct fail *fail,
		     const struct fail_totals *totals)
{
	if (totals->most_lost)
		add_most(text, fail, totals->most_lost->lost, "lost", totals->most_lost);
	else if (!totals->lost_unknown)
		base_str_add(text, "no data lost");
	if (totals->most_lost || !totals->lost_unknown)
		base_str_add(text, "; ");
	if (totals->most_stopped)
		add_most(text, fail, totals->most_stopped->below_min_size,
			 "below min_size", totals->most_stopped);
	else if (!totals->below_unknown)
		base_str_addf(text, "no %s below min_size", unit_name(fail));
	if (totals->most_stopped || !totals->below_unknown)
		base_str_add(text, "; ");
}

/* "while the cluster is under 71.4 % full (now 73.0 %: not safe for r4)" */
static void add_safe_fill(struct base_str *text, const struct fail *fail,
			  const struct fail_totals *totals)
{
	double now = analyze_fail_percent(fail, fail->fill);

	if (!isfinite(totals->safe_fill))
		return;
	base_str_addf(text, " while the cluster is under %.1f %% full",
		      100 * totals->safe_fill);
	if (!isfinite(now))
		return;
	base_str_addf(text, " (now %.1f %%", now);
	if (now > 100 * totals->safe_fill) {
		base_str_add(text, ": not safe");
		if (!is_single(fail)) {
			base_str_add(text, " for ");
			analyze_fail_add_name(text, fail, totals->least_safe);
		}
	}
	base_str_add(text, ")");
}

/* Is each unit that a single case hurts lost by it? */
static bool loses_all(const struct fail *fail, const struct fail_totals *totals)
{
	const struct fail_case *found = totals->most_lost;

	return is_single(fail) && found && found->lost == found->degraded;
}

static void add_healing(struct base_str *text, const struct fail *fail,
			const struct fail_totals *totals)
{
	if (loses_all(fail, totals)) {
		base_str_add(text, "nothing is left to heal");
		return;
	}
	if (totals->stick == 0) {
		base_str_add(text, totals->most_lost ? "what isn't lost heals"
				   : is_single(fail) ? "it heals"
						     : "all heal");
		add_safe_fill(text, fail, totals);
		return;
	}
	add_most(text, fail, totals->most_stuck->unhealable, "can't heal",
		 totals->most_stuck);
	if (totals->stick == fail->case_count)
		return;
	base_str_addf(text, "; the other %zu heal", fail->case_count - totals->stick);
	add_safe_fill(text, fail, totals);
}

static void tell_headline(struct fail *fail, const struct fail_totals *totals)
{
	struct base_str text;

	base_str_init(&text, fail->allocator);
	add_subject(&text, fail);
	add_loss(&text, fail, totals);
	add_healing(&text, fail, totals);
	result_set_headline(fail->result, "%s", base_str_text(&text));
	if (!base_str_ok(&text))
		fail->out_of_memory = true;
	base_str_free(&text);
}

static void warn_stuck(struct fail *fail, const struct fail_totals *totals)
{
	struct base_str text;

	if (totals->stick == 0)
		return;
	base_str_init(&text, fail->allocator);
	base_str_add(&text, "Why ");
	analyze_fail_add_name(&text, fail, totals->most_stuck);
	base_str_add(&text, " can't heal: ");
	analyze_fail_add_reason(&text, fail, &totals->most_stuck->reason);
	result_add_warning(fail->result, "%s.", base_str_text(&text));
	if (!base_str_ok(&text))
		fail->out_of_memory = true;
	base_str_free(&text);
}

static void warn_overfull(struct fail *fail, const struct fail_totals *totals)
{
	if (totals->overfill == 0)
		return;
	if (is_single(fail))
		result_add_warning(fail->result,
				   "It fills a device over backfillfull (%g %%), where "
				   "backfill stops.",
				   100 * fail->ratios.backfillfull);
	else
		result_add_warning(fail->result,
				   "%zu of %zu cases %s a device over backfillfull "
				   "(%g %%), where backfill stops.",
				   totals->overfill, fail->case_count,
				   totals->overfill == 1 ? "fills" : "fill",
				   100 * fail->ratios.backfillfull);
}

static void note_basis(struct fail *fail)
{
	if (fail->basis == FAIL_WEIGHTS)
		result_add_note(fail->result,
				"The sizes of devices aren't known: a weight of 1 is "
				"taken for 1 TiB. `--join` the output of 'ceph osd df "
				"-f json' for how full they are.");
	else if (fail->basis == FAIL_SHARDS)
		result_add_note(fail->result,
				"How full devices are isn't known; shards are taken to "
				"be of one size, and devices as large as their weights.");
	else if (fail->basis == FAIL_PLACED)
		result_add_note(fail->result,
				"What is in use isn't known: what the pools hold is "
				"taken for all. `--join` the output of 'ceph osd df -f "
				"json'.");
	else if (fail->lacks_bytes)
		result_add_note(fail->result,
				"A shard whose bytes aren't known is taken for as large "
				"as the mean of all.");
}

static void add_notes(struct fail *fail, const struct fail_totals *totals)
{
	warn_stuck(fail, totals);
	warn_overfull(fail, totals);
	if (fail->unplaced > 0)
		result_add_warning(fail->result,
				   "%" PRIu64 " %s no device even with all up; that is "
				   "not counted above.",
				   fail->unplaced,
				   fail->unplaced == 1 ? "shard has" : "shards have");
	if (totals->lost_unknown)
		result_add_note(fail->result,
				"How many shards data can be read from isn't known: "
				"`--k` says.");
	note_basis(fail);
	result_add_note(fail->result,
			"What fails is down and out (reweight 0); its weight stays, as "
			"in Ceph until it is removed.");
}

strew_status analyze_fail_tell(struct fail *fail)
{
	struct fail_totals totals = analyze_fail_total(fail);
	strew_status status;

	tell_headline(fail, &totals);
	status = analyze_fail_tables(fail);
	if (status)
		return status;
	add_notes(fail, &totals);
	status = analyze_fail_odds(fail);
	if (status == STREW_OK)
		status = analyze_fail_summary(fail);
	analyze_fail_draw(fail);
	return status;
}
