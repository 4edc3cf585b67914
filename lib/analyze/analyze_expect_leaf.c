/* SPDX-License-Identifier: MIT */
#include "analyze_expect_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base_error.h"
#include "compile.h"

/* Which domains and devices a step chooses from what it can draw. */

#define CERTAIN    1e-9 /* short of it, a chance counts as sure */
#define TRIES_RISK 3e-4 /* that all tries of a place fail, where shares are exact */
#define LEAF_RISK  1e-2 /* that those of a leaf do; to its square it is left out */
#define MOMENT_MAX 16
#define RACE_MAX   ((size_t)1 << 22) /* racers × places: memory and time go with it */

static bool goes_down(const struct expect_window *window)
{
	return window->step->is_leaf && window->step->type != 0;
}

/* The domain that a node puts something into: a device, or an empty bucket, which is like
 * a device that is out. */
static struct expect_racer *racer_of(const struct expect_window *window, uint32_t index)
{
	const struct expect *expect = window->expect;
	const struct expect_node *node = &expect->nodes[index];

	if (node->domain == ANALYZE_NOWHERE || node->count > 0)
		return NULL;
	return &expect->racers[expect->nodes[node->domain].number];
}

/* By domain: a counting sort. */
static void list_members(struct expect_window *window)
{
	struct expect *expect = window->expect;
	size_t next = 0;

	for (uint32_t i = 1; i < window->node_count; i++) {
		struct expect_racer *racer = racer_of(window, i);

		if (racer)
			racer->count++;
	}
	for (uint32_t i = 0; i < window->domain_count; i++) {
		expect->racers[i].first = next;
		next += expect->racers[i].count;
		expect->racers[i].count = 0;
	}
	for (uint32_t i = 1; i < window->node_count; i++) {
		const struct expect_node *node = &expect->nodes[i];
		struct expect_racer *racer = racer_of(window, i);
		size_t at;

		if (racer == NULL)
			continue;
		at = racer->first + racer->count++;
		expect->member_nodes[at] = i;
		expect->members[at] = (struct expect_member){
			.rate = node->rate,
			.reweight = node->item >= 0 ? analyze_reweight(expect->share,
								       (size_t)node->item)
						    : 0};
	}
	window->member_count = next;
}

/* The chance that all draws for a leaf come to devices that are out, though some are in:
 * a moment of the weight of those that are out, from the series of exp(that · s). */
static double leaf_risk(const struct expect_member *members, size_t count, double rate,
			uint32_t tries)
{
	uint32_t order = tries < MOMENT_MAX ? tries : MOMENT_MAX;
	double series[MOMENT_MAX + 1] = {1}, none = 1, moment = 1;

	for (size_t i = 0; i < count; i++) {
		double out = 1 - members[i].reweight, part = members[i].rate / rate;

		for (uint32_t m = order; m > 0 && part > 0; m--) {
			double term = out;

			for (uint32_t j = 1; j <= m; j++) {
				term *= part / j;
				series[m] += term * series[m - j];
			}
		}
		none *= part > 0 ? out : 1;
	}
	for (uint32_t m = 1; m <= order; m++)
		moment *= m;
	moment = moment * series[order] - none;
	return moment > 0 ? moment : 0;
}

/* With several tries for a leaf it is the domain that is drawn, and turned down when none
 * is in. Members win their part of it. */
static strew_status race_inside(struct expect_window *window, struct expect_racer *racer,
				uint32_t tries)
{
	struct expect *expect = window->expect;
	struct expect_member *members = expect->members + racer->first;
	struct expect_race race = {.racers = expect->inner,
				   .count = racer->count,
				   .places = 1,
				   .allocator = expect->allocator};
	double risk;

	for (size_t i = 0; i < racer->count; i++)
		expect->inner[i] = (struct expect_racer){.rate = members[i].rate,
							 .chance = members[i].reweight};
	if (analyze_expect_race(&race))
		return STREW_ENOMEM;
	racer->chance = 0;
	for (size_t i = 0; i < racer->count; i++)
		racer->chance += expect->inner[i].wins;
	for (size_t i = 0; i < racer->count; i++)
		members[i].wins =
			racer->chance > 0 ? expect->inner[i].wins / racer->chance : 0;
	risk = racer->rate > 0 ? leaf_risk(members, racer->count, racer->rate, tries) : 0;
	if (risk > LEAF_RISK * racer->chance)
		analyze_expect_refuse(expect, "its tries for a leaf may not be enough, "
					      "as devices have reweights");
	if (racer->chance > 0)
		racer->rate *= 1 - risk / racer->chance;
	racer->count = 0;
	return STREW_OK;
}

/* How often a leaf is looked for below a domain. */
static uint32_t count_leaf_tries(const struct expect *expect,
				 const struct expect_step *step)
{
	struct flat_tunables tunables =
		compile_tunables(&expect->share->tree->map->tunables);

	if (step->is_indep && step->settings.leaf_tries == 0)
		return 1;
	return rule_count_leaf_tries(&step->settings, &tunables);
}

static strew_status enter_members(struct expect_window *window)
{
	struct expect *expect = window->expect;
	const struct rule_settings *settings = &window->step->settings;
	uint32_t tries = count_leaf_tries(expect, window->step);
	strew_status status = STREW_OK;

	if (!window->step->is_indep && (settings->vary_r != 1 || !settings->stable))
		analyze_expect_refuse(expect, "devices have reweights, and the tunables "
					      "are older than jewel's");
	list_members(window);
	for (uint32_t i = 0; i < window->domain_count && tries > 1 && !status; i++)
		status = race_inside(window, &expect->racers[i], tries);
	return status;
}

static void enter_domains(struct expect_window *window)
{
	struct expect *expect = window->expect;

	for (uint32_t i = 0; i < window->domain_count; i++) {
		const struct expect_node *node = &expect->nodes[expect->domains[i]];

		expect->racers[i] = (struct expect_racer){
			.rate = node->rate,
			.chance = node->item >= 0 ? analyze_reweight(expect->share,
								     (size_t)node->item)
						  : 1};
	}
}

static struct expect_miss miss_of(const struct expect *expect,
				  const struct expect_racer *racer, double tries)
{
	double chance = racer->rate > 0 ? racer->chance : 0;
	struct expect_miss miss = {1 + chance * expm1(-tries * racer->rate), 1 - chance};

	if (racer->count > 0)
		miss = (struct expect_miss){1, 1};
	for (size_t i = racer->first; i < racer->first + racer->count; i++) {
		const struct expect_member *member = &expect->members[i];

		chance = member->rate > 0 ? member->reweight : 0;
		miss.tries *= 1 + chance * expm1(-tries * member->rate);
		miss.ever *= 1 - chance;
	}
	return miss;
}

/* What is likely missed comes first. */
static int compare_misses(const void *a, const void *b)
{
	double left = ((const struct expect_miss *)a)->tries;
	double right = ((const struct expect_miss *)b)->tries;

	return (left < right) - (left > right);
}

/* The chance that the last place finds none of the domains that are left, though there is
 * one: at most that for the domain which is most likely there and missed, with the others
 * that are missed most. `misses` is sorted, `left` at least 1. */
static double last_risk(const struct expect_miss *misses, size_t count, size_t left)
{
	double most = 1, risk = 0;

	for (size_t i = 0; i + 1 < left; i++)
		most *= misses[i].tries;
	for (size_t i = 0; i < count && most > 0; i++) {
		double there = (misses[i].tries - misses[i].ever) * most;

		/* In place of one of the others, not beside itself. */
		if (i + 1 < left)
			there *= misses[left - 1].tries / misses[i].tries;
		risk = fmax(risk, there);
	}
	return risk;
}

static void judge_tries(struct expect_window *window)
{
	struct expect *expect = window->expect;
	struct expect_miss *misses = expect->misses;
	size_t count = 0, certain = 0, left = 1;

	for (uint32_t i = 0; i < window->domain_count; i++) {
		misses[count] = miss_of(expect, &expect->racers[i],
					window->step->settings.choose_tries);
		certain += misses[count].ever < CERTAIN;
		count += misses[count].ever < 1;
	}
	if (certain < window->step->ranks)
		expect->is_short = true;
	if (count == 0)
		return;
	qsort(misses, count, sizeof(*misses), compare_misses);
	if (count > window->step->ranks)
		left = count - window->step->ranks + 1;
	if (last_risk(misses, count, left) > TRIES_RISK)
		analyze_expect_refuse(expect, "its tries may not be enough");
}

static void judge_window(const struct expect_window *window)
{
	struct expect *expect = window->expect;

	if (window->has_outs && window->is_uniform)
		analyze_expect_refuse(expect,
				      "devices in uniform buckets have reweights");
	if (window->is_shuffled && window->step->ranks > 1)
		analyze_expect_refuse(expect, "it draws several times from a uniform "
					      "bucket above its domains");
	if (window->has_outs && window->step->is_indep &&
	    (window->step->next || window->step->full % window->step->ranks > 0))
		analyze_expect_refuse(expect, "it uses some of the places that an indep "
					      "step fills, and devices have reweights");
	if (window->is_varied && (window->has_outs || window->step->ranks > 2))
		analyze_expect_refuse(expect, "its weight set differs by position");
	if ((size_t)window->domain_count * window->step->ranks > RACE_MAX)
		analyze_expect_refuse(expect, "it has too many choices");
}

strew_status analyze_expect_enter(struct expect_window *window)
{
	strew_status status = STREW_OK;

	judge_window(window);
	if (window->expect->reason)
		return STREW_OK;
	enter_domains(window);
	if (goes_down(window) && window->has_outs)
		status = enter_members(window);
	judge_tries(window);
	return status;
}

/* Devices without reweights have their part of what their domain wins. */
static void share_out(const struct expect_window *window, const double *domain_wins)
{
	struct expect_node *nodes = window->expect->nodes;

	for (uint32_t i = 1; i < window->node_count; i++) {
		const struct expect_node *domain;

		if (nodes[i].domain == ANALYZE_NOWHERE)
			continue;
		domain = &nodes[nodes[i].domain];
		if (domain->rate > 0)
			nodes[i].wins += domain_wins[domain->number] * nodes[i].rate /
					 domain->rate;
	}
}

static void win_members(const struct expect_window *window)
{
	const struct expect *expect = window->expect;

	for (uint32_t i = 0; i < window->domain_count; i++) {
		const struct expect_racer *racer = &expect->racers[i];
		size_t end = i + 1 < window->domain_count ? racer[1].first
							  : window->member_count;

		for (size_t m = racer->first; m < end; m++)
			expect->nodes[expect->member_nodes[m]].wins =
				expect->members[m].wins *
				(racer->count > 0 ? 1 : racer->wins);
	}
}

static double total_rate(const struct expect_window *window)
{
	const struct expect *expect = window->expect;
	double total = 0;

	for (uint32_t i = 0; i < window->domain_count; i++)
		total += expect->nodes[expect->domains[i]].rate;
	return total;
}

/* First and second place, each by weights of its own. */
static void win_positions(struct expect_window *window, uint32_t places)
{
	struct expect *expect = window->expect;
	double *wins = expect->numbers, total, sum = 0;

	analyze_expect_rate(window, 0);
	total = total_rate(window);
	for (uint32_t i = 0; i < window->domain_count; i++)
		wins[i] = expect->nodes[expect->domains[i]].rate / total;
	share_out(window, wins);
	if (places < 2)
		return;
	analyze_expect_rate(window, 1);
	total = total_rate(window);
	for (uint32_t i = 0; i < window->domain_count; i++) {
		double rate = expect->nodes[expect->domains[i]].rate;

		/* After one that has all of the second weights there is no second. */
		wins[i] = rate < total ? wins[i] * total / (total - rate) : 0;
		sum += wins[i];
	}
	for (uint32_t i = 0; i < window->domain_count; i++)
		wins[i] =
			(sum - wins[i]) * expect->nodes[expect->domains[i]].rate / total;
	share_out(window, wins);
}

static strew_status win_race(struct expect_window *window, uint32_t places)
{
	struct expect *expect = window->expect;
	struct expect_race race = {.racers = expect->racers,
				   .count = window->domain_count,
				   .members = expect->members,
				   .places = places,
				   .allocator = expect->allocator};

	if (analyze_expect_race(&race))
		return STREW_ENOMEM;
	if (window->member_count > 0) {
		win_members(window);
		return STREW_OK;
	}
	for (uint32_t i = 0; i < window->domain_count; i++)
		expect->numbers[i] = expect->racers[i].wins;
	share_out(window, expect->numbers);
	return STREW_OK;
}

strew_status analyze_expect_run(struct expect_window *window, uint32_t places)
{
	for (uint32_t i = 0; i < window->node_count; i++)
		window->expect->nodes[i].wins = 0;
	if (places == 0 || window->domain_count == 0)
		return STREW_OK;
	if (!window->is_varied)
		return win_race(window, places);
	win_positions(window, places);
	return STREW_OK;
}
