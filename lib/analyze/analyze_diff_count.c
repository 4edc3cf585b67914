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

/* Both sides in one way: else what is moved would seem to grow by the difference. */
static strew_status expect_shares(struct diff *diff, const struct analyze_group *group)
{
	strew_status status = STREW_OK;
	bool exact = true;

	for (int i = 0; i < 2 && !status; i++) {
		struct analyze_share share = share_of(diff, group, i);
		const char *reason;

		status = analyze_expect(diff->sides[i].shares, &reason, &share,
					diff->allocator, diff->error);
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
	return kind == STREW_KIND_ERASURE || kind == STREW_KIND_MSR_INDEP;
}

strew_status analyze_diff_enter(struct diff *diff, const struct analyze_group *group)
{
	struct diff_now *now = &diff->now;
	strew_status status = expect_shares(diff, group);

	if (status)
		return status;
	*now = (struct diff_now){.group = group};
	now->is_erasure = is_erasure(diff, group);
	now->by_position = diff->how.by == STREW_BY_POOL
				   ? now->is_erasure
				   : diff->how.by == STREW_BY_POSITION;
	now->want = (uint64_t)analyze_diff_want(diff, group, 1);
	add_minimum(diff);
	return STREW_OK;
}

static bool holds(const strew_set *set, int32_t device)
{
	for (int i = 0; i < set->count; i++) {
		if (set->devices[i] == device)
			return true;
	}
	return false;
}

/* What one set has and the other has not, in order. */
static int subtract(int32_t *out, const strew_set *set, const strew_set *other)
{
	int count = 0;

	for (int i = 0; i < set->count; i++) {
		if (set->devices[i] != STREW_NONE && !holds(other, set->devices[i]))
			out[count++] = set->devices[i];
	}
	return count;
}

static int32_t domain_on(const struct diff *diff, int32_t id, int side)
{
	const struct diff_device *device = analyze_diff_device(diff, id);

	return device ? device->domains[side] : -1;
}

/* For each that is gained, one that was lost: from its own domain if there is one. */
static void pair_within_domains(const struct diff *diff, struct diff_moves *moves,
				bool *used)
{
	for (int i = 0; i < moves->gained_count; i++) {
		int32_t domain = domain_on(diff, moves->gained[i], 1);
		int j = 0;

		while (j < moves->lost_count &&
		       (used[j] || domain < 0 ||
			domain_on(diff, moves->lost[j], 0) != domain))
			j++;
		moves->from[i] = STREW_NONE;
		if (j < moves->lost_count) {
			moves->from[i] = moves->lost[j];
			used[j] = true;
		}
	}
}

static void pair_the_rest(struct diff_moves *moves, const bool *used)
{
	int next = 0;

	for (int i = 0; i < moves->gained_count; i++) {
		if (moves->from[i] != STREW_NONE)
			continue;
		while (next < moves->lost_count && used[next])
			next++;
		if (next < moves->lost_count)
			moves->from[i] = moves->lost[next++];
	}
}

static void compare_sets(const struct diff *diff, struct diff_moves *moves,
			 const strew_set *before, const strew_set *after)
{
	bool used[STREW_WANT_MAX];

	moves->gained_count = subtract(moves->gained, after, before);
	moves->lost_count = subtract(moves->lost, before, after);
	memset(used, 0, (size_t)moves->lost_count * sizeof(used[0]));
	pair_within_domains(diff, moves, used);
	pair_the_rest(moves, used);
}

static int32_t device_at(const strew_set *set, int position)
{
	return position < set->count ? set->devices[position] : STREW_NONE;
}

static int longer(const strew_set *a, const strew_set *b)
{
	return a->count > b->count ? a->count : b->count;
}

static void compare_positions(struct diff_moves *moves, const strew_set *before,
			      const strew_set *after)
{
	moves->gained_count = 0;
	moves->lost_count = 0;
	for (int i = 0; i < longer(before, after); i++) {
		int32_t old = device_at(before, i), new = device_at(after, i);

		if (old == new)
			continue;
		if (old != STREW_NONE)
			moves->lost[moves->lost_count++] = old;
		if (new != STREW_NONE) {
			moves->from[moves->gained_count] = old;
			moves->gained[moves->gained_count++] = new;
		}
	}
}

static int count_devices(const strew_set *set)
{
	int count = 0;

	for (int i = 0; i < set->count; i++)
		count += set->devices[i] != STREW_NONE;
	return count;
}

/* Shards that lose their device and get no other, though one is wanted. */

static uint64_t count_unplaced_positions(const struct diff *diff, const strew_set *before,
					 const strew_set *after)
{
	uint64_t count = 0;

	for (int i = 0; i < before->count && (uint64_t)i < diff->now.want; i++)
		count += before->devices[i] != STREW_NONE &&
			 device_at(after, i) == STREW_NONE;
	return count;
}

static uint64_t count_unplaced(const struct diff *diff, const strew_set *after)
{
	const struct diff_moves *moves = &diff->moves;
	int64_t lost = (int64_t)moves->lost_count - moves->gained_count;
	int64_t missing = (int64_t)diff->now.want - count_devices(after);
	int64_t unplaced = lost < missing ? lost : missing;

	return unplaced > 0 ? (uint64_t)unplaced : 0;
}

static void count_positions(struct diff *diff, const strew_set *before,
			    const strew_set *after)
{
	diff->totals.has_positions = true;
	for (int i = 0; i < longer(before, after); i++)
		diff->totals.positions_changed +=
			device_at(before, i) != device_at(after, i);
}

static void count_bytes(struct diff_totals *totals, double bytes, uint64_t shards,
			int moved)
{
	if (bytes < 0) {
		totals->lacks_bytes = true;
		return;
	}
	totals->has_bytes = true;
	totals->bytes += bytes * (double)shards;
	totals->bytes_moved += bytes * moved;
}

static void count_objects(struct diff_totals *totals, double objects, bool changed)
{
	if (objects < 0) {
		totals->lacks_objects = true;
		return;
	}
	totals->objects += objects;
	totals->objects_moved += changed ? objects : 0;
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

		status = analyze_diff_add_flow(diff, domain_on(diff, moves->from[i], 0),
					       domain_on(diff, moves->gained[i], 1),
					       bytes);
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
	struct diff_totals *totals = &diff->totals;
	struct diff_moves *moves = &diff->moves;
	struct map_amount amount =
		analyze_shard_amount(&diff->plan, diff->now.group, unit);
	double bytes = amount.bytes;
	bool changed;

	if (diff->now.by_position) {
		compare_positions(moves, before, after);
		totals->unplaced += count_unplaced_positions(diff, before, after);
	} else {
		compare_sets(diff, moves, before, after);
		totals->unplaced += count_unplaced(diff, after);
	}
	changed = moves->gained_count > 0 || moves->lost_count > 0;
	totals->units++;
	totals->units_changed += changed;
	totals->shards += diff->now.want;
	totals->moved += (uint64_t)moves->gained_count;
	if (diff->now.is_erasure)
		count_positions(diff, before, after);
	count_bytes(totals, bytes, diff->now.want, moves->gained_count);
	count_objects(totals, amount.objects, changed);
	count_forced(diff, before);
	hold(diff, before, 0, bytes);
	hold(diff, after, 1, bytes);
	count_lost(diff, bytes);
	if (changed)
		analyze_diff_list_unit(diff, unit, before, after);
	return count_gained(diff, bytes);
}
