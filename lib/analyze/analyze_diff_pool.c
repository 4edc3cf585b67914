/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* What each pool moves: the totals from its first unit to its last. */

static void add_numbers(const struct diff *diff, const struct diff_totals *pool,
			bool has_bytes)
{
	const struct analyze_group *group = diff->now.group;
	strew_table *table = diff->tables.pools;
	double shards = (double)pool->shards;

	result_row(table);
	result_integer(table, group->pools[1]->id);
	result_text(table, group->pools[1]->name);
	result_integer(table, group->pools[0]->pg_num);
	result_integer(table, group->pools[1]->pg_num);
	result_integer(table, (int64_t)pool->units);
	result_integer(table, (int64_t)pool->units_changed);
	result_integer(table, (int64_t)pool->shards);
	result_integer(table, (int64_t)pool->moved);
	result_real(table, shards > 0 ? 100 * (double)pool->moved / shards : NAN);
	result_integer(table, (int64_t)pool->unplaced);
	result_real(table, pool->minimum);
	if (has_bytes) {
		result_integer(table, llround(pool->bytes));
		result_integer(table, llround(pool->bytes_moved));
	}
}

/* Text has no use for what stays, nor for one pool that is all. */
static void add_line(const struct diff *diff, const struct diff_totals *pool,
		     bool has_bytes)
{
	const strew_pool *before = diff->now.group->pools[0];
	const strew_pool *after = diff->now.group->pools[1];
	strew_table *table = diff->tables.moved_pools;
	char bytes[RESULT_BYTES_ROOM] = "";

	if (diff->plan.group_count < 2 || pool->moved == 0)
		return;
	if (has_bytes)
		result_print_bytes(bytes, pool->bytes_moved);
	result_row(table);
	result_text(table, after->name);
	result_textf(table, "%" PRIu64, pool->moved);
	result_text(table, "/");
	result_textf(table, "%" PRIu64, pool->shards);
	analyze_diff_add_percent(table, (double)pool->moved, (double)pool->shards);
	result_text(table, bytes);
	if (before->pg_num == after->pg_num)
		result_text(table, "");
	else
		result_textf(table, "%" PRIu32 " → %" PRIu32 " PGs", before->pg_num,
			     after->pg_num);
}

void analyze_diff_leave_pool(struct diff *diff)
{
	const struct diff_totals *all = &diff->totals, *before = &diff->now.before;
	struct diff_totals pool = {
		.units = all->units - before->units,
		.units_changed = all->units_changed - before->units_changed,
		.shards = all->shards - before->shards,
		.moved = all->moved - before->moved,
		.unplaced = all->unplaced - before->unplaced,
		.minimum = all->minimum - before->minimum,
		.bytes = all->bytes - before->bytes,
		.bytes_moved = all->bytes_moved - before->bytes_moved,
	};
	bool has_bytes;

	if (diff->now.group == NULL || diff->plan.kind != ANALYZE_PGS ||
	    diff->tables.pools == NULL)
		return;
	has_bytes =
		analyze_shard_amount(&diff->plan, diff->now.group, diff->now.group->first)
			.bytes >= 0;
	add_numbers(diff, &pool, has_bytes);
	add_line(diff, &pool, has_bytes);
}
