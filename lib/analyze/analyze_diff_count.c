/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <string.h>

static struct analyze_share share_of(const struct diff *diff,
				     const struct analyze_group *group, int side)
{
	const struct diff_side *on = &diff->sides[side];
	const strew_pool *pool = group->pools[side];

	return (struct analyze_share){
		.tree = &on->tree,
		.rule = map_rule_by_id(on->map, analyze_diff_rule(diff, group, side)),
		.want = analyze_diff_want(diff, group, side),
		.set = pool ? place_pool_weight_set(on->placer, pool->id)
			    : place_raw_weight_set(on->placer),
	};
}

/* Are the shares that are there the group's? Then nothing is to be done. */
static bool shares_are_known(struct diff *diff, const struct analyze_group *group)
{
	bool known = true;

	for (int i = 0; i < 2; i++) {
		struct analyze_share share = share_of(diff, group, i);
		struct diff_shared shared = {share.rule, share.want, share.set};
		struct diff_shared *last = &diff->sides[i].shared;

		known = known && last->rule == shared.rule && last->want == shared.want &&
			last->set == shared.set;
		*last = shared;
	}
	return known;
}

/* Both sides in one way: else what is moved would seem to grow by the difference. */
static strew_status expect_shares(struct diff *diff, const struct analyze_group *group)
{
	strew_status status = STREW_OK;
	bool exact = true;

	if (shares_are_known(diff, group))
		return STREW_OK;
	for (int i = 0; i < 2 && !status; i++) {
		struct analyze_share share = share_of(diff, group, i);
		const char *reason;

		status = analyze_inexact_try(diff->sides[i].shares, &reason,
					     &diff->inexact, &share, diff->allocator,
					     diff->error);
		analyze_inexact_add(&diff->inexact, share.rule, reason);
		exact = exact && reason == NULL;
	}
	for (int i = 0; i < 2 && !status && !exact; i++) {
		struct analyze_share share = share_of(diff, group, i);

		status = analyze_share(diff->sides[i].shares, &share, diff->allocator,
				       diff->error);
	}
	return status;
}

static double share_on(const struct diff *diff, const struct diff_device *device,
		       int side)
{
	return device->indexes[side] >= 0
		       ? diff->sides[side].shares[device->indexes[side]]
		       : 0;
}

/* What a shard of the group weighs in the mean; below 0: not known. */
static double mean_shard_bytes(const struct diff *diff, const struct analyze_group *group)
{
	double sum = analyze_shard_amount(&diff->plan, group, group->first).bytes;

	if (diff->plan.kind != ANALYZE_PGS ||
	    (group->pools[0]->use_count == 0 && group->pools[1]->use_count == 0))
		return diff->plan.kind == ANALYZE_PGS ? sum : -1;
	for (uint64_t i = 1; i < group->count && sum >= 0; i++) {
		double bytes =
			analyze_shard_amount(&diff->plan, group, group->first + i).bytes;

		sum = bytes < 0 ? -1 : sum + bytes;
	}
	return sum / (double)group->count;
}

/* What grows has to be moved there; the sampling error is that of binomial shares. */
static void add_minimum(struct diff *diff)
{
	const struct diff_now *now = &diff->now;
	double units = (double)now->group->count, shards = units * (double)now->want;
	double minimum = 0, bytes = mean_shard_bytes(diff, now->group);

	for (size_t i = 0; i < diff->device_count; i++) {
		const struct diff_device *device = &diff->devices[i];
		double more =
			units * (share_on(diff, device, 1) - share_on(diff, device, 0));

		if (more <= 0)
			continue;
		minimum += more;
		if (more < shards)
			diff->totals.variance += more * (1 - more / shards);
	}
	diff->totals.minimum += minimum;
	if (bytes > 0)
		diff->totals.minimum_bytes += minimum * bytes;
}

static bool is_erasure(const struct diff *diff, const struct analyze_group *group)
{
	strew_kind kind;

	if (group->pools[1])
		return group->pools[1]->kind == STREW_KIND_ERASURE;
	kind = map_rule_by_id(diff->sides[1].map, analyze_diff_rule(diff, group, 1))
		       ->kind;
	return !map_kind_copies(kind);
}

bool analyze_diff_by_position(const struct diff *diff, const struct analyze_group *group)
{
	if (diff->how.by == STREW_BY_POOL)
		return is_erasure(diff, group);
	return diff->how.by == STREW_BY_POSITION;
}

strew_status analyze_diff_enter(struct diff *diff, const struct analyze_group *group)
{
	struct diff_now *now = &diff->now;
	strew_status status = expect_shares(diff, group);

	if (status)
		return status;
	analyze_diff_leave_pool(diff);
	*now = (struct diff_now){.group = group, .before = diff->totals};
	now->is_erasure = is_erasure(diff, group);
	now->by_position = analyze_diff_by_position(diff, group);
	now->want = (uint64_t)analyze_diff_want(diff, group, 1);
	add_minimum(diff);
	return STREW_OK;
}

static void hold(struct diff *diff, const strew_set *set, int side, double bytes)
{
	for (int i = 0; i < set->count && bytes > 0; i++) {
		struct diff_device *device = analyze_diff_device(diff, set->devices[i]);

		if (device)
			device->held[side] += bytes;
	}
}

static void count_forced(struct diff *diff, const strew_set *before)
{
	for (int i = 0; i < before->count; i++) {
		const struct diff_device *device =
			analyze_diff_device(diff, before->devices[i]);

		if (device)
			diff->totals.forced += !(share_on(diff, device, 1) > 0);
	}
}

static bool is_between_old(const struct diff *diff, const struct diff_device *to,
			   int32_t from)
{
	const struct diff_device *left = analyze_diff_device(diff, from);

	return left && share_on(diff, left, 1) > 0 && share_on(diff, to, 0) > 0;
}

static strew_status count_gained(struct diff *diff, double bytes)
{
	struct diff_moves *moves = &diff->moves;
	strew_status status = STREW_OK;

	for (int i = 0; i < moves->gained_count && !status; i++) {
		struct diff_device *device = analyze_diff_device(diff, moves->gained[i]);

		status = analyze_diff_add_flow(
			diff, analyze_diff_domain_on(diff, moves->from[i], 0),
			analyze_diff_domain_on(diff, moves->gained[i], 1), bytes);
		if (device == NULL)
			continue;
		device->shards_in++;
		device->bytes_in += bytes > 0 ? bytes : 0;
		diff->totals.between_old += is_between_old(diff, device, moves->from[i]);
	}
	return status;
}

static void count_lost(struct diff *diff, double bytes)
{
	for (int i = 0; i < diff->moves.lost_count; i++) {
		struct diff_device *device =
			analyze_diff_device(diff, diff->moves.lost[i]);

		if (device == NULL)
			continue;
		device->shards_out++;
		device->bytes_out += bytes > 0 ? bytes : 0;
	}
}

strew_status analyze_diff_count(struct diff *diff, uint64_t unit, const strew_set *before,
				const strew_set *after)
{
	double bytes = analyze_diff_measure(diff, unit, before, after);

	count_forced(diff, before);
	hold(diff, before, 0, bytes);
	hold(diff, after, 1, bytes);
	count_lost(diff, bytes);
	if (analyze_diff_has_moves(&diff->moves))
		analyze_diff_list_unit(diff, unit, before, after);
	return count_gained(diff, bytes);
}
