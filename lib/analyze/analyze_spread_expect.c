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
			device->load.stages[SPREAD_TARGET] += part * weights[i] / total;
	}
	return STREW_OK;
}

/* A PG is a draw; a device gets at most one shard of it. */
static double draw_variance(double units, double share)
{
	return share < 1 ? units * share * (1 - share) : 0;
}

/* A demand's shares make its part of all. */
static void add_stage(struct spread *spread, enum spread_stage stage,
		      const struct analyze_demand *demand, const double *shares)
{
	size_t count = spread->map->device_count;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += shares[i];
	for (size_t i = 0; i < count && sum > 0; i++)
		spread->devices[i].load.stages[stage] += demand->part * shares[i] / sum;
}

static strew_status find_stage(struct spread *spread, enum spread_stage stage,
			       const struct analyze_demand *demand, double *shares)
{
	struct analyze_share share = demand->share;
	strew_status status;

	share.is_whole = stage < SPREAD_EXPECTED;
	if (stage < SPREAD_WEIGHED)
		share.set = NULL;
	if (stage == SPREAD_BOUNDED)
		status = analyze_bound_shares(shares, &share, spread->allocator,
					      spread->error);
	else
		status = analyze_inexact_expect(shares, &spread->bases[stage],
						&spread->inexact, &share, spread->placer,
						spread->run, spread->error);
	return status;
}

/* Stages that bring in nothing have the shares of those before. */
static bool differs(const struct spread *spread, enum spread_stage stage,
		    const struct analyze_demand *demand)
{
	if (stage == SPREAD_WEIGHED)
		return demand->share.set != NULL;
	return stage != SPREAD_EXPECTED || spread->has_states;
}

static void add_expected(struct spread *spread, const struct analyze_demand *demand,
			 const double *shares)
{
	size_t index = (size_t)(demand - spread->demands);

	for (size_t i = 0; i < spread->map->device_count; i++) {
		struct spread_device *device = &spread->devices[i];

		device->load.expected += demand->units * shares[i];
		device->load.later += demand->load * shares[i];
		device->variance += draw_variance(demand->units, shares[i]);
		spread->totals.expected += demand->units * shares[i];
		if (shares[i] > 0)
			analyze_spread_set_reach(spread, index, i);
	}
}

static strew_status add_stages(struct spread *spread, const struct analyze_demand *demand,
			       double *shares)
{
	strew_status status = STREW_OK;

	for (enum spread_stage stage = SPREAD_BOUNDED;
	     stage <= SPREAD_EXPECTED && status == STREW_OK; stage++) {
		if (differs(spread, stage, demand))
			status = find_stage(spread, stage, demand, shares);
		else if (spread->bases[stage] < spread->bases[stage - 1])
			spread->bases[stage] = spread->bases[stage - 1];
		if (status == STREW_OK)
			add_stage(spread, stage, demand, shares);
	}
	if (status)
		return status;
	add_expected(spread, demand, shares);
	status = analyze_share(shares, &demand->share, spread->allocator, spread->error);
	if (status == STREW_OK)
		analyze_spread_mark_large(spread, demand->share.rule, shares);
	return status;
}

static struct analyze_share share_of(const struct spread *spread,
				     const struct analyze_group *group)
{
	return (struct analyze_share){
		.tree = &spread->tree,
		.rule = map_rule_by_id(spread->map, analyze_spread_rule(spread, group)),
		.want = analyze_spread_want(spread, group),
		.set = analyze_spread_set(spread, group),
	};
}

/* A kind of groups each. */
static void list_demands(struct spread *spread)
{
	size_t count = spread->plan.group_count;

	for (size_t i = 0; i < count; i++) {
		const struct analyze_group *group = &spread->plan.groups[i];
		const struct spread_group *found = &spread->groups[i];

		spread->demands[i] = (struct analyze_demand){
			.share = share_of(spread, group),
			.units = (double)group->count,
			.part = part_of(spread, found),
			.load = spread->has_data ? found->load : (double)group->count};
	}
	spread->demand_count = analyze_merge_demands(spread->demands, count);
	for (size_t i = 0; i < count; i++) {
		struct analyze_share share = share_of(spread, &spread->plan.groups[i]);

		spread->groups[i].demand = analyze_find_demand(
			spread->demands, spread->demand_count, &share);
	}
}

/* Demands of one rule, which stand one after the other, have one target. */
static strew_status add_demands(struct spread *spread, double *values)
{
	strew_status status = STREW_OK;
	double part = 0;

	for (size_t i = 0; i < spread->demand_count && !status; i++) {
		const struct analyze_demand *demand = &spread->demands[i];
		const struct map_rule *rule = demand->share.rule;

		part += demand->part;
		status = add_stages(spread, demand, values);
		if (status ||
		    (i + 1 < spread->demand_count && demand[1].share.rule == rule))
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

static void add_counted(struct spread *spread)
{
	const struct spread_totals *totals = &spread->totals;
	double raw = totals->raw > 0 ? (double)totals->raw : 1;
	double placed = totals->placed > 0 ? (double)totals->placed : 1;

	for (size_t i = 0; i < spread->map->device_count; i++) {
		struct spread_device *device = &spread->devices[i];
		double *stages = device->load.stages;

		stages[SPREAD_COUNTED] = (double)device->raw / raw;
		stages[SPREAD_PLACED] = (double)device->load.shards / placed;
		stages[SPREAD_FILLED] /= placed;
	}
}

static bool has_states(const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];

		if (!device->exists || !device->up || device->reweight < STREW_WEIGHT_ONE)
			return true;
	}
	return false;
}

strew_status analyze_spread_expect(struct spread *spread)
{
	size_t room = spread->map->device_count + 1;
	double *values = base_alloc(spread->allocator, room, sizeof(*values));
	strew_status status = STREW_ENOMEM;

	add_totals(spread);
	spread->has_states = has_states(spread->map);
	spread->has_data = spread->totals.has_bytes && !spread->totals.lacks_bytes &&
			   spread->totals.bytes > 0;
	if (values && analyze_spread_add_reaches(spread)) {
		list_demands(spread);
		status = add_demands(spread, values);
	}
	add_counted(spread);
	add_facts(spread);
	base_free(spread->allocator, values, room * sizeof(*values));
	return status == STREW_ENOMEM ? base_error_nomem(spread->error) : status;
}

double analyze_spread_percent(const struct spread *spread, const struct spread_load *load)
{
	double target = load->stages[SPREAD_TARGET] * (double)spread->totals.placed;

	return target > 0 ? 100 * (double)load->shards / target : NAN;
}

/* Devices that the rules give something by weight and that can take it. */
bool analyze_spread_competes(const struct spread_device *device)
{
	return device->load.stages[SPREAD_TARGET] > 0 && device->load.expected > 0;
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
		double target = device->load.stages[SPREAD_TARGET] *
				(double)spread->totals.placed;

		if (!analyze_spread_competes(device) || !(target > 0))
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
