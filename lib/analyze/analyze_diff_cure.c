/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <strew/edit.h>

#include "place.h"

/* What is known to make less move, told of where it does: each is placed and counted. */

/* A cure moves at most this part of what moves without it. */
#define WORTH 0.9
/* Weights that are frozen must leave so much of the change in force, and not bring about
 * another one: what moves between parents would change the shares of all beside it. */
#define FROZEN_MIN 0.5
#define FROZEN_MAX 1.1

/* Devices that are looked at one by one. */
#define DRAINED_MAX 256

static bool is_worth(double cured, double moved)
{
	return cured <= WORTH * moved;
}

static void add_cure(struct diff *diff, const char *name, const struct diff_totals *cured,
		     const char *advice)
{
	strew_table *table = diff->tables.cures;

	result_row(table);
	result_text(table, name);
	result_integer(table, (int64_t)cured->moved);
	result_real(table, cured->shards > 0
				   ? 100 * (double)cured->moved / (double)cured->shards
				   : NAN);
	if (diff->totals.has_bytes)
		result_integer(table, llround(cured->bytes_moved));
	else
		result_null(table);
	result_text(table, advice);
	result_add_note(diff->result, "%s", advice);
}

/* With something taken back there is less to move. */
static bool cures(const struct diff *diff, enum diff_undo what)
{
	return (diff->causes.tried & DIFF_UNDO(what)) &&
	       is_worth((double)diff->causes.totals[what].moved,
			(double)diff->totals.moved);
}

static double percent_of(const struct diff_totals *totals)
{
	return 100 * (double)totals->moved / (double)totals->shards;
}

static void advise_ids(struct diff *diff, bool is_switch)
{
	const struct diff_totals *cured = &diff->causes.totals[DIFF_UNDO_IDS];
	const strew_bucket *before = analyze_diff_first_taken(diff, 0);
	const strew_bucket *after = analyze_diff_first_taken(diff, 1);
	char advice[512];

	if (is_switch && before && after)
		snprintf(advice, sizeof(advice),
			 "Cure: exchange the ids of %.64s and %.64s and of all buckets "
			 "below them, as crushtool --reclassify does, in the same step: "
			 "then %" PRIu64 " shards (%.2f %%) move. Rules that go on "
			 "taking %.64s have to be switched, too.",
			 before->name, after->name, cured->moved, percent_of(cured),
			 before->name);
	else
		snprintf(advice, sizeof(advice),
			 "Cure: give buckets the ids that they had: then %" PRIu64
			 " shards (%.2f %%) move.",
			 cured->moved, percent_of(cured));
	add_cure(diff, is_switch ? "remap-ids" : "same-ids", cured, advice);
}

static strew_status cure_ids(struct diff *diff)
{
	struct diff_ids named = {0}, all = {0};
	strew_status status;

	if (!cures(diff, DIFF_UNDO_IDS))
		return STREW_OK;
	status = analyze_diff_wish_ids(&named, diff, DIFF_IDS_NAMED);
	if (status == STREW_OK)
		status = analyze_diff_wish_ids(&all, diff,
					       DIFF_IDS_NAMED | DIFF_IDS_TAKEN);
	if (status == STREW_OK)
		advise_ids(diff, all.count > named.count);
	analyze_diff_ids_free(&named, diff);
	analyze_diff_ids_free(&all, diff);
	return status;
}

static strew_status cure_parents(struct diff *diff)
{
	struct diff_parents parents = {0};
	const struct diff_totals *cured = &diff->causes.totals[DIFF_UNDO_PARENTS];
	char advice[768];
	strew_status status;

	if (!cures(diff, DIFF_UNDO_PARENTS) || !(diff->totals.minimum > 0) ||
	    !(cured->minimum >= FROZEN_MIN * diff->totals.minimum) ||
	    cured->minimum > FROZEN_MAX * diff->totals.minimum)
		return STREW_OK;
	status = analyze_diff_count_parents(&parents, diff);
	if (status)
		return status;
	snprintf(advice, sizeof(advice),
		 "Cure: hold the parents' weights as they were in a weight set. With "
		 "norebalance set, make the change, then ceph osd crush weight-set "
		 "create-compat and, from the lowest parent up (class shadows, such "
		 "as default~hdd, too), ceph osd crush weight-set reweight-compat "
		 "PARENT OLD-WEIGHT: then %" PRIu64
		 " shards (%.2f %%) move, and what gains gets %.0f %% of its share. The "
		 "rest moves when you let the weights go, in steps if you like.%s",
		 cured->moved, percent_of(cured),
		 100 * cured->minimum / diff->totals.minimum,
		 parents.shrunk > 0 ? " Until then devices below parents that shrank "
				      "hold more than their share."
				    : "");
	add_cure(diff, "freeze-parents", cured, advice);
	return STREW_OK;
}

/* Devices that NEW takes out, but leaves their weight. */
static size_t list_drained(int32_t ids[DRAINED_MAX], const struct diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->device_count; i++) {
		const struct diff_device *device = &diff->devices[i];
		const strew_device *before, *after;

		if (device->indexes[0] < 0 || device->indexes[1] < 0)
			continue;
		before = &diff->sides[0].map->devices[device->indexes[0]];
		after = &diff->sides[1].map->devices[device->indexes[1]];
		if (before->reweight == 0 || after->reweight != 0 ||
		    !(analyze_device_weight(&diff->sides[1].tree,
					    (size_t)device->indexes[1]) > 0))
			continue;
		if (count < DRAINED_MAX)
			ids[count] = device->id;
		count++;
	}
	return count;
}

/* The end with these devices weighing nothing. */
static strew_status drain(struct diff_end *out, const struct diff *diff,
			  const struct diff_end *from, const int32_t *ids, size_t count)
{
	const strew_map *map = strew_placer_map(from->placer);
	strew_map *drained = NULL;
	strew_edit *edit = NULL;
	strew_status status = strew_edit_new(&edit, map);

	*out = (struct diff_end){.rule = from->rule, .want = from->want};
	for (size_t i = 0; i < count && !status; i++) {
		char operation[32];

		snprintf(operation, sizeof(operation), "reweight %" PRId32 " 0", ids[i]);
		status = strew_edit_apply(edit, operation, NULL);
	}
	if (status == STREW_OK)
		status = strew_edit_build(&drained, edit, NULL);
	if (status == STREW_OK)
		status = place_like(&out->placer, from->placer, drained, diff->allocator,
				    NULL);
	strew_map_release(drained);
	strew_edit_free(edit);
	return status == STREW_ENOMEM || status == STREW_OK ? status : STREW_ENOTSUP;
}

static void advise_drain(struct diff *diff, const struct diff_totals *once,
			 const struct diff_totals *later, int32_t id, size_t count)
{
	char advice[640], which[64];
	const char *name = analyze_diff_device_name(diff, analyze_diff_device(diff, id));

	if (count == 1)
		snprintf(which, sizeof(which), "%.50s", name);
	else
		snprintf(which, sizeof(which), "the %zu devices", count);
	snprintf(advice, sizeof(advice),
		 "Cure, if you are to remove %s anyway: one step in place of two. Taking "
		 "%s out moves %" PRIu64 " shards, removing %s later %" PRIu64
		 " more, as the parents shrink; a weight of 0 (ceph osd crush reweight "
		 "%.50s 0%s) moves %" PRIu64 " (%.2f %%) once.",
		 which, count == 1 ? "it" : "them", diff->totals.moved,
		 count == 1 ? "it" : "them", later->moved, name,
		 count == 1 ? "" : " and so on", once->moved, percent_of(once));
	add_cure(diff, "one-step", once, advice);
}

static strew_status try_drained(struct diff *diff, const struct diff_end ends[3],
				const int32_t *ids, size_t count, const strew_run *run)
{
	struct diff_totals once, later;
	strew_status status =
		analyze_diff_step(&once, diff, &ends[0], &ends[2], false, run);

	if (status == STREW_OK)
		status = analyze_diff_step(&later, diff, &ends[1], &ends[2], false, run);
	if (status == STREW_OK &&
	    is_worth((double)once.moved, (double)(diff->totals.moved + later.moved)))
		advise_drain(diff, &once, &later, ids[0], count);
	return status;
}

static strew_status cure_drain(struct diff *diff, const strew_run *run)
{
	int32_t ids[DRAINED_MAX];
	size_t count = list_drained(ids, diff);
	struct diff_end ends[3] = {analyze_diff_end(diff, 0)};
	strew_status status = STREW_OK;

	if (count > 0 && count <= DRAINED_MAX) {
		status = analyze_diff_undo(&ends[1], diff, 0);
		if (status == STREW_OK)
			status = drain(&ends[2], diff, &ends[1], ids, count);
		if (status == STREW_OK)
			status = try_drained(diff, ends, ids, count, run);
	}
	for (int i = 0; i < 3; i++)
		analyze_diff_end_release(&ends[i]);
	return status == STREW_ENOTSUP ? STREW_OK : status;
}

strew_status analyze_diff_cures(struct diff *diff, const strew_run *run)
{
	strew_status status;

	if (diff->totals.moved == 0)
		return STREW_OK;
	status = cure_ids(diff);
	if (status == STREW_OK)
		status = cure_parents(diff);
	return status ? status : cure_drain(diff, run);
}

uint64_t analyze_diff_walks(const struct diff *diff)
{
	unsigned undoable = diff->causes.undoable;
	uint64_t walks = 2; /* the first one, and single shards */
	int32_t ids[DRAINED_MAX];

	for (int i = 0; i < DIFF_UNDO_COUNT; i++)
		walks += (undoable & DIFF_UNDO(i)) != 0;
	walks += (undoable & (undoable - 1)) != 0;
	walks += (undoable & DIFF_UNDO(DIFF_UNDO_PARENTS)) != 0;
	walks += list_drained(ids, diff) > 0 ? 2 : 0;
	return walks;
}
