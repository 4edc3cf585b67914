/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <math.h>
#include <stdio.h>

/*
 * How long moving takes at least. A device takes part in so many backfills at a time,
 * each of which moves so many bytes a second; what it gets and what it gives go on side
 * by side. The slowest device tells.
 */

/* What leaves a device that isn't there, or isn't up, comes from others. */
static bool gives(const struct diff *diff, const struct diff_device *device)
{
	const strew_device *found;

	if (device->indexes[1] < 0)
		return false;
	found = &diff->sides[1].map->devices[device->indexes[1]];
	return found->exists && found->up;
}

double analyze_diff_backfill_seconds(const struct diff *diff,
				     const struct diff_device *device)
{
	double rate = diff->how.backfill_rate;
	double bytes = device->bytes_in;

	if (!(rate > 0) || !diff->totals.has_bytes)
		return NAN;
	if (diff->how.max_backfills > 1)
		rate *= diff->how.max_backfills;
	if (gives(diff, device) && device->bytes_out > bytes)
		bytes = device->bytes_out;
	return bytes / rate;
}

const struct diff_device *analyze_diff_slowest(const struct diff *diff)
{
	const struct diff_device *slowest = NULL;
	double most = 0;

	for (size_t i = 0; i < diff->device_count; i++) {
		double seconds = analyze_diff_backfill_seconds(diff, &diff->devices[i]);

		if (seconds > most) {
			most = seconds;
			slowest = &diff->devices[i];
		}
	}
	return slowest;
}

#define TIME_ROOM 48

static void print_time(char text[TIME_ROOM], double seconds)
{
	double minutes = ceil(seconds / 60), hours = floor(minutes / 60);

	if (seconds < 60)
		snprintf(text, TIME_ROOM, "%.0f s", ceil(seconds));
	else if (hours < 1)
		snprintf(text, TIME_ROOM, "%.0f min", minutes);
	else if (hours < 48)
		snprintf(text, TIME_ROOM, "%.0f h %02.0f min", hours,
			 minutes - 60 * hours);
	else
		snprintf(text, TIME_ROOM, "%.0f d %.0f h", floor(hours / 24),
			 hours - 24 * floor(hours / 24));
}

void analyze_diff_note_time(const struct diff *diff)
{
	const struct diff_device *slowest = analyze_diff_slowest(diff);
	char time[TIME_ROOM], bytes[RESULT_BYTES_ROOM], rate[RESULT_BYTES_ROOM];
	int backfills = diff->how.max_backfills > 1 ? diff->how.max_backfills : 1;
	bool is_in;

	if (!(diff->how.backfill_rate > 0))
		return;
	if (!diff->totals.has_bytes || slowest == NULL) {
		result_add_note(diff->result,
				diff->totals.has_bytes
					? "Nothing moves, so there is no time to tell."
					: "How long it takes can't be told: the bytes of "
					  "no pool are known.");
		return;
	}
	is_in = !gives(diff, slowest) || slowest->bytes_in >= slowest->bytes_out;
	print_time(time, analyze_diff_backfill_seconds(diff, slowest));
	result_print_bytes(bytes, is_in ? slowest->bytes_in : slowest->bytes_out);
	result_print_bytes(rate, diff->how.backfill_rate);
	result_add_note(diff->result,
			"Moving takes at least %s, at %s/s a backfill and %d at a time "
			"on each device: %s has to %s %s.",
			time, rate, backfills, analyze_diff_device_name(diff, slowest),
			is_in ? "take in" : "give", bytes);
}
