/* SPDX-License-Identifier: MIT */
#include "analyze_show_priv.h"

#include "base_error.h"

/* @return how many there are, a kind of pools each. */
static size_t list_demands(const struct show *show, struct analyze_demand *demands)
{
	const strew_map *map = show->map;

	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];

		demands[i].units = pool->pg_num;
		demands[i].share = (struct analyze_share){
			.tree = &show->tree,
			.rule = map_rule_by_id(map, pool->rule),
			.want = pool->size,
			.set = place_pool_weight_set(show->placer, pool->id),
		};
	}
	return analyze_merge_demands(demands, map->pool_count);
}

static strew_status add_demand(struct show *show, const struct analyze_demand *demand,
			       double *shares)
{
	enum analyze_basis basis = ANALYZE_EXACT;
	strew_status status =
		analyze_inexact_expect(shares, &basis, &show->inexact, &demand->share,
				       show->placer, show->run, show->error);

	for (size_t i = 0; i < show->map->device_count && status == STREW_OK; i++)
		show->device_shares[i] += shares[i] * demand->units;
	return status;
}

static strew_status add_pools(struct show *show)
{
	const strew_map *map = show->map;
	size_t room = map->device_count + 1, pools = map->pool_count, count;
	double *shares = base_alloc(show->allocator, room, sizeof(*shares));
	struct analyze_demand *demands =
		base_calloc(show->allocator, pools, sizeof(*demands));
	strew_status status = STREW_OK;

	if (shares && demands) {
		count = list_demands(show, demands);
		for (size_t i = 0; i < count && status == STREW_OK; i++)
			status = add_demand(show, &demands[i], shares);
	} else {
		status = base_error_nomem(show->error);
	}
	base_free(show->allocator, demands, pools * sizeof(*demands));
	base_free(show->allocator, shares, room * sizeof(*shares));
	return status;
}

static void scale_devices(struct show *show)
{
	size_t count = show->map->device_count;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += show->device_shares[i];
	for (size_t i = 0; i < count && sum > 0; i++)
		show->device_shares[i] /= sum;
}

/* What a bucket holds comes before it when the order is read backward. */
static void sum_buckets(struct show *show)
{
	const struct analyze_tree *tree = &show->tree;

	for (size_t i = show->map->bucket_count; i-- > 0;) {
		uint32_t bucket = tree->order[i];

		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			int32_t item = tree->items[at];

			show->bucket_shares[bucket] +=
				item < 0 ? show->bucket_shares[-1 - item]
					 : show->device_shares[item];
		}
	}
}

strew_status analyze_show_expect(struct show *show)
{
	const strew_map *map = show->map;
	strew_status status;

	show->bucket_shares = base_calloc(show->allocator, map->bucket_count + 1,
					  sizeof(*show->bucket_shares));
	show->device_shares = base_calloc(show->allocator, map->device_count + 1,
					  sizeof(*show->device_shares));
	if (show->bucket_shares == NULL || show->device_shares == NULL)
		return base_error_nomem(show->error);
	status = add_pools(show);
	scale_devices(show);
	sum_buckets(show);
	return status;
}

void analyze_show_forget(struct show *show)
{
	base_free(show->allocator, show->bucket_shares,
		  (show->map->bucket_count + 1) * sizeof(*show->bucket_shares));
	base_free(show->allocator, show->device_shares,
		  (show->map->device_count + 1) * sizeof(*show->device_shares));
}
