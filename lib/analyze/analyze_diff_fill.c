/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <math.h>
#include <stdio.h>

/* How full devices are before the change and after it, and what that leaves. */

/** A side's fullest device. */
struct side_fill {
	const struct diff_device *fullest; /* NULL: not known */
	double percent;
	double usable; /* bytes that users can store; NAN: not known */
};

static const strew_device *device_on(const struct diff *diff,
				     const struct diff_device *device, int side)
{
	int32_t index = device->indexes[side];

	return index >= 0 ? &diff->sides[side].map->devices[index] : NULL;
}

/* In percent, from what the cluster says it uses, or else from what is placed on it;
 * below 0 when that can't be told. */
static double fill_of(const struct diff *diff, const struct diff_device *device, int side,
		      bool use)
{
	const strew_device *before = device_on(diff, device, 0);
	const strew_device *now = device_on(diff, device, side);
	double used = device->held[0];

	if (now == NULL || now->size_bytes == 0)
		return -1;
	if (use)
		used = before ? (double)before->used_bytes : 0;
	return 100 * (used + device->held[side] - device->held[0]) /
	       (double)now->size_bytes;
}

/* Does what is placed stand for all that is stored, before and after? */
static bool covers_all(const struct diff *diff)
{
	return analyze_covers_pools(&diff->plan, diff->sides[0].map) &&
	       analyze_covers_pools(&diff->plan, diff->sides[1].map) &&
	       diff->totals.has_bytes && !diff->totals.lacks_bytes;
}

/* All grows alike until the fullest device is full. */
static double find_usable(const struct diff *diff, int side, double percent)
{
	double stored = 0;

	for (size_t i = 0; i < diff->plan.group_count; i++) {
		const strew_pool *const *pools = diff->plan.groups[i].pools;

		/* Data is the first map's, unless only the second one tells. */
		stored += (double)pools[pools[0]->has_bytes ? 0 : 1]->bytes;
	}
	return stored * map_ratio(diff->sides[side].map, MAP_FULL) * 100 / percent;
}

enum diff_fill analyze_diff_fill_basis(const struct diff *diff)
{
	if (!covers_all(diff))
		return DIFF_FILL_UNKNOWN;
	return map_tells_use(diff->sides[0].map) ? DIFF_FILL_USED : DIFF_FILL_PLACED;
}

void analyze_diff_add_device_fill(strew_table *table, const struct diff *diff,
				  const struct diff_device *device, enum diff_fill basis)
{
	for (int side = 0; side < 2; side++) {
		double percent =
			basis == DIFF_FILL_UNKNOWN
				? -1
				: fill_of(diff, device, side, basis == DIFF_FILL_USED);

		result_real(table, percent >= 0 ? percent : NAN);
	}
}

static struct side_fill find_fill(const struct diff *diff, int side)
{
	struct side_fill found = {NULL, -1, NAN};
	bool use = map_tells_use(diff->sides[0].map);
	size_t count = covers_all(diff) ? diff->device_count : 0;

	for (size_t i = 0; i < count; i++) {
		double percent = fill_of(diff, &diff->devices[i], side, use);

		if (percent <= found.percent)
			continue;
		found.percent = percent;
		found.fullest = &diff->devices[i];
	}
	if (found.percent > 0)
		found.usable = find_usable(diff, side, found.percent);
	return found;
}

static void add_side(strew_table *table, const struct side_fill *fill)
{
	result_integer(table, fill->fullest ? fill->fullest->id : STREW_NONE);
	result_real(table, fill->fullest ? fill->percent : NAN);
	if (fill->usable < (double)INT64_MAX)
		result_integer(table, llround(fill->usable));
	else
		result_null(table);
}

void analyze_diff_add_fill(strew_table *table, const struct diff *diff)
{
	for (int side = 0; side < 2; side++) {
		struct side_fill fill = find_fill(diff, side);

		add_side(table, &fill);
	}
}

#define FULLEST "fullest device after the change: "

static void note_fullest(const struct diff *diff, const struct side_fill *after)
{
	const char *device = analyze_diff_device_name(diff, after->fullest);
	double before =
		fill_of(diff, after->fullest, 0, map_tells_use(diff->sides[0].map));
	char was[40] = "new";

	if (before >= 0)
		snprintf(was, sizeof(was), "was %.1f %%", before);
	if (after->percent > 100)
		result_add_warning(diff->result,
				   FULLEST "%s %.1f %% (%s), more than it can hold",
				   device, after->percent, was);
	else
		result_add_note(diff->result, FULLEST "%s %.1f %% (%s)", device,
				after->percent, was);
}

/* "usable: 7.1 TiB, was 6.4 TiB (until the first device is 95 % full, all growing alike)"
 */
void analyze_diff_note_fill(const struct diff *diff)
{
	struct side_fill before = find_fill(diff, 0), after = find_fill(diff, 1);
	char was[RESULT_BYTES_ROOM], is[RESULT_BYTES_ROOM];

	if (after.fullest == NULL)
		return;
	note_fullest(diff, &after);
	if (isnan(before.usable) || isnan(after.usable))
		return;
	result_print_bytes(was, before.usable);
	result_print_bytes(is, after.usable);
	result_add_note(diff->result,
			"usable: %s, was %s (until the first device is %g %% full, all "
			"growing alike)",
			is, was, 100 * map_ratio(diff->sides[1].map, MAP_FULL));
}
