/* SPDX-License-Identifier: MIT */
/* Lists of inputs and of PGs. */
#include <string.h>

#include "place_priv.h"

struct rule_call place_raw_call(const strew_placer *placer, int want)
{
	return (struct rule_call){.flat = placer->flat,
				  .set = placer->raw_set,
				  .kernel = placer->kernel,
				  .want = want};
}

struct rule_call place_pool_call(const strew_placer *placer,
				 const struct place_pool *pool)
{
	return (struct rule_call){.flat = placer->flat,
				  .rule = pool->rule,
				  .set = pool->set,
				  .kernel = placer->kernel,
				  .want = pool->size};
}

size_t place_chunk_size(size_t left, int want)
{
	size_t most = PLACE_ROWS_WORDS / (size_t)want;

	if (most > PLACE_ROWS)
		most = PLACE_ROWS;
	return left < most ? left : most;
}

static void close_row(int32_t *row, int count, int want)
{
	for (int i = count; i < want; i++)
		row[i] = STREW_NONE;
}

strew_status strew_place_many(const strew_placer *placer, int32_t rule,
			      const uint32_t *xs, size_t count, int32_t *out, int want,
			      strew_scratch *scratch)
{
	struct rule_call call = place_raw_call(placer, want);
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);
	int counts[PLACE_ROWS];
	size_t size;

	for (size_t done = 0; done < count && status == STREW_OK; done += size) {
		int32_t *rows = out + done * (size_t)want;

		size = count - done < PLACE_ROWS ? count - done : PLACE_ROWS;
		rule_run_many(&call, xs + done, size, rows, counts, scratch->rule);
		for (size_t i = 0; i < size; i++)
			close_row(rows + i * (size_t)want, counts[i], want);
	}
	return status;
}

void place_fill_set(strew_set *set, const int32_t *row, int count)
{
	set->count = count;
	set->primary = STREW_NONE;
	memcpy(set->devices, row, (size_t)count * sizeof(*row));
	for (int i = 0; i < count && set->primary == STREW_NONE; i++)
		set->primary = row[i];
}

strew_status place_raw_many(strew_set *sets, const strew_placer *placer, int32_t rule,
			    const uint32_t *xs, size_t count, int want,
			    strew_scratch *scratch)
{
	struct rule_call call = place_raw_call(placer, want);
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);
	int counts[PLACE_ROWS];
	size_t size;

	for (size_t done = 0; done < count && status == STREW_OK; done += size) {
		size = place_chunk_size(count - done, want);
		rule_run_many(&call, xs + done, size, scratch->rows, counts,
			      scratch->rule);
		for (size_t i = 0; i < size; i++)
			place_fill_set(&sets[done + i], scratch->rows + i * (size_t)want,
				       counts[i]);
	}
	return status;
}

/* PGs of one pool. */
static void place_chunk(const strew_placer *placer, const struct place_pool *pool,
			const strew_pg *pgs, size_t count, strew_stages *stages,
			strew_scratch *scratch)
{
	struct rule_call call = place_pool_call(placer, pool);
	uint32_t xs[PLACE_ROWS];
	int counts[PLACE_ROWS];

	for (size_t i = 0; i < count; i++)
		xs[i] = place_pg_input(pool->pool, pgs[i].seed);
	rule_run_many(&call, xs, count, scratch->rows, counts, scratch->rule);
	for (size_t i = 0; i < count; i++) {
		struct place_pg pg = {placer, pool, pgs[i].seed, xs[i], NULL};

		place_finish_pg(&stages[i], &pg, scratch->rows + i * (size_t)pool->size,
				counts[i], scratch);
	}
}

static size_t count_of_pool(const strew_pg *pgs, size_t most)
{
	size_t count = 1;

	while (count < most && pgs[count].pool == pgs[0].pool)
		count++;
	return count;
}

strew_status strew_place_pgs(const strew_placer *placer, const strew_pg *pgs,
			     size_t count, strew_stages *stages, strew_scratch *scratch)
{
	size_t size;

	if (!place_scratch_fits(placer, scratch))
		return STREW_EINVAL;
	for (size_t done = 0; done < count; done += size) {
		const struct place_pool *pool = place_find_pool(placer, pgs[done].pool);

		if (pool == NULL)
			return STREW_ENOTFOUND;
		size = count_of_pool(pgs + done,
				     place_chunk_size(count - done, pool->size));
		place_chunk(placer, pool, pgs + done, size, stages + done, scratch);
	}
	return STREW_OK;
}

strew_status strew_place_pg(const strew_placer *placer, strew_pg pg, strew_stages *stages,
			    strew_scratch *scratch)
{
	return strew_place_pgs(placer, &pg, 1, stages, scratch);
}
