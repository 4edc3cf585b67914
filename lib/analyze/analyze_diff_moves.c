/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <string.h>

/* Two sets of a unit compared: what it gains and loses, and the totals of that. */

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

int32_t analyze_diff_domain_on(const struct diff *diff, int32_t id, int side)
{
	const struct diff_device *device = analyze_diff_device(diff, id);

	return device ? device->domains[side] : -1;
}

/* For each that is gained, one that was lost: from its own domain if there is one. */
static void pair_within_domains(const struct diff *diff, struct diff_moves *moves,
				bool *used)
{
	for (int i = 0; i < moves->gained_count; i++) {
		int32_t domain = analyze_diff_domain_on(diff, moves->gained[i], 1);
		int j = 0;

		while (j < moves->lost_count &&
		       (used[j] || domain < 0 ||
			analyze_diff_domain_on(diff, moves->lost[j], 0) != domain))
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
	int64_t missing = (int64_t)diff->now.want - analyze_count_devices(after);
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

bool analyze_diff_has_moves(const struct diff_moves *moves)
{
	return moves->gained_count > 0 || moves->lost_count > 0;
}

/* By set, whatever shards are counted by. */
static void count_by_set(struct diff *diff, const strew_set *before,
			 const strew_set *after, double bytes)
{
	int32_t gained[STREW_WANT_MAX];
	int moved = diff->moves.gained_count;

	if (diff->now.by_position)
		moved = subtract(gained, after, before);
	diff->totals.moved_by_set += (uint64_t)moved;
	diff->totals.bytes_moved_by_set += bytes > 0 ? bytes * moved : 0;
}

double analyze_diff_measure(struct diff *diff, uint64_t unit, const strew_set *before,
			    const strew_set *after)
{
	struct diff_totals *totals = &diff->totals;
	struct diff_moves *moves = &diff->moves;
	struct map_amount amount =
		analyze_shard_amount(&diff->plan, diff->now.group, unit);
	bool changed;

	if (diff->now.by_position) {
		compare_positions(moves, before, after);
		totals->unplaced += count_unplaced_positions(diff, before, after);
	} else {
		compare_sets(diff, moves, before, after);
		totals->unplaced += count_unplaced(diff, after);
	}
	changed = analyze_diff_has_moves(moves);
	totals->units++;
	totals->units_changed += changed;
	totals->shards += diff->now.want;
	totals->moved += (uint64_t)moves->gained_count;
	if (diff->now.is_erasure)
		count_positions(diff, before, after);
	count_bytes(totals, amount.bytes, diff->now.want, moves->gained_count);
	count_objects(totals, amount.objects, changed);
	count_by_set(diff, before, after, amount.bytes);
	return amount.bytes;
}

int analyze_diff_gains(const struct diff *diff, const struct analyze_group *group,
		       const strew_set *before, const strew_set *after)
{
	int32_t gained[STREW_WANT_MAX];
	int count = 0;

	if (!analyze_diff_by_position(diff, group))
		return subtract(gained, after, before);
	for (int i = 0; i < after->count; i++)
		count += after->devices[i] != STREW_NONE &&
			 after->devices[i] != device_at(before, i);
	return count;
}
