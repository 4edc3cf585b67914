/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>

#include "base_error.h"

/* What should lie on the devices. */

static void add_totals(struct spread *spread)
{
	struct spread_totals *totals = &spread->totals;

	for (size_t i = 0; i < spread->plan.group_count; i++) {
		const struct spread_group *found = &spread->groups[i];

		totals->wanted += found->wanted;
		totals->placed += found->placed;
		totals->unplaced += found->unplaced;
	}
}

/* The group's part of all shards that are placed; where none is, of those wanted. */
static double part_of(const struct spread *spread, const struct spread_group *group)
{
	const struct spread_totals *totals = &spread->totals;

	if (totals->placed > 0)
		return (double)group->placed / (double)totals->placed;
	return totals->wanted > 0 ? (double)group->wanted / (double)totals->wanted : 0;
}

/* `part`: of all shards, what the rule places. */
static strew_status add_targets(struct spread *spread, const struct map_rule *rule,
				double part, double *weights)
{
	double total = 0;
	strew_status status = analyze_reach(weights, &spread->tree, rule,
					    spread->allocator, spread->error);

	if (status)
		return status;
	for (size_t i = 0; i < spread->map->device_count; i++)
		total += weights[i] > 0 ? weights[i] : 0;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		struct spread_device *device = &spread->devices[i];

		if (weights[i] >= 0)
			device->reached = true;
		if (weights[i] > 0)
			device->load.target += part * weights[i] / total;
	}
	return STREW_OK;
}

/* A PG is a draw; a device gets at most one shard of it. */
static double draw_variance(double units, double share)
{
	return share < 1 ? units * share * (1 - share) : 0;
}

static strew_status add_expected(struct spread *spread,
				 const struct analyze_demand *demand, double *shares)
{
	double units = demand->units;
	strew_status status =
		analyze_inexact_expect(shares, &spread->inexact, &demand->share,
				       spread->placer, spread->run, spread->error);

	for (size_t i = 0; i < spread->map->device_count && !status; i++) {
		struct spread_device *device = &spread->devices[i];

		device->load.expected += units * shares[i];
		device->variance += draw_variance(units, shares[i]);
		spread->totals.expected += units * shares[i];
	}
	if (status == STREW_OK)
		status = analyze_share(shares, &demand->share, spread->allocator,
				       spread->error);
	if (status == STREW_OK)
		analyze_spread_mark_large(spread, demand->share.rule, shares);
	return status;
}

/* @return how many there are, a kind of groups each. */
static size_t list_demands(const struct spread *spread, struct analyze_demand *demands)
{
	for (size_t i = 0; i < spread->plan.group_count; i++) {
		const struct analyze_group *group = &spread->plan.groups[i];

		demands[i].units = (double)group->count;
		demands[i].part = part_of(spread, &spread->groups[i]);
		demands[i].share = (struct analyze_share){
			.tree = &spread->tree,
			.rule = map_rule_by_id(spread->map,
					       analyze_spread_rule(spread, group)),
			.want = analyze_spread_want(spread, group),
			.set = analyze_spread_set(spread, group),
		};
	}
	return analyze_merge_demands(demands, spread->plan.group_count);
}

/* Demands of one rule, which stand one after the other, have one target. */
static strew_status add_demands(struct spread *spread,
				const struct analyze_demand *demands, size_t count,
				double *values)
{
	strew_status status = STREW_OK;
	double part = 0;

	for (size_t i = 0; i < count && !status; i++) {
		const struct map_rule *rule = demands[i].share.rule;

		part += demands[i].part;
		status = add_expected(spread, &demands[i], values);
		if (status || (i + 1 < count && demands[i + 1].share.rule == rule))
			continue;
		status = add_targets(spread, rule, part, values);
		part = 0;
	}
	return status;
}

static void add_facts(struct spread *spread)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const strew_device *device = &spread->map->devices[i];
		struct spread_load *load = &spread->devices[i].load;

		load->weight = analyze_device_weight(&spread->tree, i);
		load->size = device->size_bytes > 0 ? (double)device->size_bytes : NAN;
		load->used = (double)device->used_bytes;
		if (analyze_spread_lists(&spread->devices[i]))
			spread->totals.devices++;
	}
}

strew_status analyze_spread_expect(struct spread *spread)
{
	size_t room = spread->map->device_count + 1, groups = spread->plan.group_count;
	double *values = base_alloc(spread->allocator, room, sizeof(*values));
	struct analyze_demand *demands =
		base_calloc(spread->allocator, groups, sizeof(*demands));
	strew_status status;

	add_totals(spread);
	if (values && demands)
		status = add_demands(spread, demands, list_demands(spread, demands),
				     values);
	else
		status = base_error_nomem(spread->error);
	add_facts(spread);
	base_free(spread->allocator, demands, groups * sizeof(*demands));
	base_free(spread->allocator, values, room * sizeof(*values));
	return status;
}

double analyze_spread_percent(const struct spread *spread, const struct spread_load *load)
{
	double target = load->target * (double)spread->totals.placed;

	return target > 0 ? 100 * (double)load->shards / target : NAN;
}

/* Devices that the rules give something by weight and that can take it. */
static bool competes(const struct spread_device *device)
{
	return device->load.target > 0 && device->load.expected > 0;
}

static void compare_extremes(struct spread_balance *balance, const struct spread *spread,
			     int32_t index)
{
	const struct spread_device *devices = spread->devices;
	uint64_t primaries = devices[index].load.primaries;
	double percent = analyze_spread_percent(spread, &devices[index].load);

	if (balance->devices++ == 0) {
		balance->fullest = index;
		balance->emptiest = index;
		balance->primaries_min = primaries;
	}
	if (percent > analyze_spread_percent(spread, &devices[balance->fullest].load))
		balance->fullest = index;
	if (percent < analyze_spread_percent(spread, &devices[balance->emptiest].load))
		balance->emptiest = index;
	if (primaries < balance->primaries_min)
		balance->primaries_min = primaries;
	if (primaries > balance->primaries_max)
		balance->primaries_max = primaries;
}

static double square(double value)
{
	return value * value;
}

void analyze_spread_compare(struct spread *spread)
{
	struct spread_balance *balance = &spread->balance;
	double squares = 0, variances = 0, primaries = 0;

	balance->fullest = -1;
	balance->emptiest = -1;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const struct spread_device *device = &spread->devices[i];
		double target = device->load.target * (double)spread->totals.placed;

		if (!competes(device) || !(target > 0))
			continue;
		compare_extremes(balance, spread, (int32_t)i);
		squares += square(analyze_spread_percent(spread, &device->load) - 100);
		variances += device->variance / square(target);
		primaries += (double)device->load.primaries;
	}
	if (balance->devices == 0)
		return;
	balance->stddev = sqrt(squares / (double)balance->devices);
	balance->chance = 100 * sqrt(variances / (double)balance->devices);
	balance->primaries_mean = primaries / (double)balance->devices;
}
