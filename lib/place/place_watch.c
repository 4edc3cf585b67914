/* SPDX-License-Identifier: MIT */
/* One placement, by the interpreter alone, and told of. */
#include "place_watch.h"

#include "place_priv.h"

static int run(struct rule_call *call, const struct place_watch *watch, uint32_t x,
	       strew_scratch *scratch)
{
	struct place_event event = {.kind = PLACE_RULE, .call = call};

	call->x = x;
	call->kernel = NULL;
	call->watch = &watch->rule;
	watch->tell(watch->ctx, &event);
	return rule_run(call, scratch->rows, scratch->rule);
}

strew_status place_pg_watched(strew_stages *stages, const strew_placer *placer,
			      strew_pg pg, const struct place_watch *watch,
			      strew_scratch *scratch)
{
	const struct place_pool *pool = place_find_pool(placer, pg.pool);
	struct place_pg on_way = {
		.placer = placer, .pool = pool, .seed = pg.seed, .watch = watch};
	struct rule_call call;
	int count;

	if (pool == NULL)
		return STREW_ENOTFOUND;
	if (!place_scratch_fits(placer, scratch))
		return STREW_EINVAL;
	call = place_pool_call(placer, pool);
	on_way.x = place_pg_input(pool->pool, pg.seed);
	count = run(&call, watch, on_way.x, scratch);
	place_finish_pg(stages, &on_way, scratch->rows, count, scratch);
	return STREW_OK;
}

strew_status place_raw_watched(strew_set *set, const strew_placer *placer, int32_t rule,
			       uint32_t x, int want, const struct place_watch *watch,
			       strew_scratch *scratch)
{
	struct rule_call call = place_raw_call(placer, want);
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);

	if (status == STREW_OK)
		place_fill_set(set, scratch->rows, run(&call, watch, x, scratch));
	return status;
}
