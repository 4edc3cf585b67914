/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map_priv.h"

/* The invariants of map.h, by number. 7 is in map_check_hanging.c, 9 in
 * map_check_rule.c. */

/* 3 */
bool map_check_id(strew_builder *builder, uint32_t place, enum map_part part, int64_t id)
{
	static const struct {
		const char *word;
		int64_t min, max;
	} ranges[MAP_PARTS] = {
		[MAP_TYPES] = {"type", 0, UINT16_MAX},
		[MAP_DEVICES] = {"device", 0, STREW_DEVICE_ID_MAX},
		[MAP_BUCKETS] = {"bucket", STREW_BUCKET_ID_MIN, -1},
		[MAP_RULES] = {"rule", 0, UINT16_MAX},
		[MAP_POOLS] = {"pool", 0, INT64_MAX},
	};

	if (id >= ranges[part].min && id <= ranges[part].max)
		return true;
	if (builder->failed)
		return false;
	if (part == MAP_POOLS)
		map_fault(builder, place,
			  "the pool id %lld is negative; it must be 0 or more",
			  (long long)id);
	else
		map_fault(builder, place,
			  "the %s id %lld is out of range; it must be from %lld to %lld",
			  ranges[part].word, (long long)id, (long long)ranges[part].min,
			  (long long)ranges[part].max);
	return false;
}

static void check_ids_of(strew_builder *builder, const struct map_list *list)
{
	for (size_t i = 1; i < list->vec.count; i++) {
		const struct map_draft *first = map_list_at(list, i - 1);
		const struct map_draft *second = map_list_at(list, i);
		int64_t id = map_list_key(list, i).major;

		if (map_list_key(list, i - 1).major != id)
			continue;
		map_fault(builder, second->place,
			  "%s \"%.96s\" has the id %lld, which %s \"%.96s\"%s has too; "
			  "ids must be unique",
			  list->kind->word, list->kind->name(second),
			  (long long)(list == &builder->buckets ? -id : id),
			  list->kind->word, list->kind->name(first),
			  map_at(builder, first->place, second->place).text);
	}
}

/* Two shadows for one. Those of one name are reported as that. */
static bool is_twin_shadow(const strew_builder *builder, const struct map_shadow_draft *a,
			   const struct map_shadow_draft *b)
{
	return a->bucket == b->bucket && a->class_index == b->class_index &&
	       strcmp(map_bucket_draft(builder, a->id)->bucket.name,
		      map_bucket_draft(builder, b->id)->bucket.name) != 0;
}

/* 1 */
static void check_ids(strew_builder *builder)
{
	const struct map_list *const lists[] = {
		&builder->types, &builder->devices, &builder->buckets,
		&builder->rules, &builder->pools,   &builder->sets,
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		check_ids_of(builder, lists[i]);
	for (size_t i = 1; i < builder->shadows.vec.count; i++) {
		const struct map_shadow_draft *a = map_list_at(&builder->shadows, i - 1);
		const struct map_shadow_draft *b = map_list_at(&builder->shadows, i);

		if (is_twin_shadow(builder, a, b))
			map_fault(builder, map_bucket_draft(builder, b->id)->head.place,
				  "%s and %s are both the shadow of %s for one device "
				  "class; there can be one",
				  map_label(builder, a->id).text,
				  map_label(builder, b->id).text,
				  map_label(builder, a->bucket).text);
	}
}

static void check_empty_names(strew_builder *builder, const struct map_list *list)
{
	for (size_t i = 0; i < list->vec.count; i++) {
		const struct map_draft *draft = map_list_at(list, i);
		int64_t id = map_list_key(list, i).major;

		if (list->kind->name(draft)[0] == '\0' && !draft->stub)
			map_fault(builder, draft->place,
				  "the %s with the id %lld has an empty name",
				  list->kind->word,
				  (long long)(list == &builder->buckets ? -id : id));
	}
}

static void check_twin_names(strew_builder *builder, const struct base_vec *sorted,
			     const char *words)
{
	const struct map_name *names = sorted->items;

	for (size_t i = 1; i < sorted->count; i++) {
		if (names[i].name[0] == '\0' ||
		    strcmp(names[i - 1].name, names[i].name) != 0 ||
		    names[i - 1].id == names[i].id)
			continue;
		map_fault(builder, names[i].place,
			  "the name \"%.96s\" is given to the id %lld%s and to the id "
			  "%lld; names of %s must be unique",
			  names[i].name, (long long)names[i - 1].id,
			  map_at(builder, names[i - 1].place, names[i].place).text,
			  (long long)names[i].id, words);
	}
}

static void check_pool_names(strew_builder *builder)
{
	struct base_vec names = {0};

	for (size_t i = 0; i < builder->pools.vec.count; i++) {
		const struct map_pool_draft *draft = map_list_at(&builder->pools, i);

		map_names_add(builder, &names, draft->pool.name, draft->pool.id,
			      draft->head.place);
	}
	map_names_sort(&names);
	check_twin_names(builder, &names, "pools");
	base_vec_free(&names, &builder->allocator);
}

/* 2 */
static void check_names(strew_builder *builder)
{
	check_empty_names(builder, &builder->types);
	check_empty_names(builder, &builder->devices);
	check_empty_names(builder, &builder->buckets);
	check_empty_names(builder, &builder->pools);
	check_twin_names(builder, &builder->type_names, "types");
	check_twin_names(builder, &builder->item_names, "devices and buckets");
	check_twin_names(builder, &builder->rule_names, "rules");
	check_pool_names(builder);
}

/* 4 */
static void check_type(strew_builder *builder, const struct map_bucket_draft *draft)
{
	struct map_text label;
	int32_t type = draft->bucket.type;

	if (draft->is_derived || draft->head.stub)
		return;
	if (type != 0 &&
	    (map_list_find(&builder->types, type, 0) || builder->refuses_all[MAP_TYPES]))
		return;
	label = map_bucket_label(builder, draft);
	if (type == -1 && draft->type_name)
		map_fault(builder, draft->head.place,
			  "%s has the type \"%.64s\", which does not exist%s", label.text,
			  draft->type_name,
			  map_hint(builder, draft->type_name, &builder->type_names).text);
	else if (type == 0)
		map_fault(builder, draft->head.place,
			  "%s has the type of devices; a bucket's type is above 0",
			  label.text);
	else
		map_fault(builder, draft->head.place,
			  "%s has the type %d, which does not exist; add the type too",
			  label.text, (int)type);
}

static void check_types(strew_builder *builder)
{
	for (size_t i = 0; i < builder->buckets.vec.count; i++)
		check_type(builder, map_list_at(&builder->buckets, i));
}

/* 5 */
static void check_items(strew_builder *builder)
{
	for (size_t i = 0; i < builder->items.vec.count; i++) {
		const struct map_item_draft *draft = map_list_at(&builder->items, i);
		enum map_part part = draft->item.id < 0 ? MAP_BUCKETS : MAP_DEVICES;

		if (map_item_exists(builder, draft->item.id) ||
		    builder->refuses_all[part])
			continue;
		map_fault(builder, draft->head.place,
			  "%s holds %s, which does not exist; add it to the map too",
			  map_label(builder, draft->bucket).text,
			  map_label(builder, draft->item.id).text);
	}
}

/* 6 */
void map_check_cycle(strew_builder *builder, const struct map_bucket_draft *bucket,
		     const struct map_bucket_draft *holder, size_t levels,
		     const struct map_item_draft *item)
{
	struct map_text label = map_bucket_label(builder, bucket);

	if (levels == 0)
		map_fault(builder, item->head.place,
			  "%s holds itself; take it out of itself", label.text);
	else
		map_fault(builder, item->head.place,
			  "%s contains itself: it holds %s, %zu level%s below, which "
			  "holds it in turn; take one out of the other",
			  label.text, map_bucket_label(builder, holder).text, levels,
			  levels == 1 ? "" : "s");
}

static void check_device_weight(strew_builder *builder,
				const struct map_bucket_draft *bucket,
				const struct map_item_draft *item)
{
	const uint32_t long_known = 100 * STREW_WEIGHT_ONE;
	uint32_t weight = item->item.weight;

	if (item->item.id < 0 || weight <= long_known || bucket->is_derived ||
	    weight == STREW_AUTO_WEIGHT)
		return;
	if (weight >= STREW_DEVICE_WEIGHT_END)
		map_fault(builder, item->head.place,
			  "%s has the weight %u.0 in %s; a device's weight must be below "
			  "32768.0",
			  map_label(builder, item->item.id).text,
			  weight / STREW_WEIGHT_ONE,
			  map_bucket_label(builder, bucket).text);
	else if (bucket->bucket.shadow_of == 0)
		map_warn_in_map(builder, item->head.place,
				"%s has the weight %u in %s; over 100, crushtool's text "
				"compiler of 16.2 won't take it back",
				map_label(builder, item->item.id).text,
				weight / STREW_WEIGHT_ONE,
				map_bucket_label(builder, bucket).text);
}

/* 0 when they have not been summed, because of a cycle. */
static uint64_t weigh_items(const strew_builder *builder,
			    const struct map_bucket_draft *draft)
{
	const struct map_item_draft *items = map_bucket_items(builder, draft);
	uint64_t sum = 0;

	for (size_t i = 0; i < draft->bucket.item_count && !builder->has_cycle; i++)
		sum += items[i].item.weight;
	return sum;
}

/* Shadows that were derived are too heavy because the bucket is, as a rule. */
static bool is_too_heavy(const strew_builder *builder,
			 const struct map_bucket_draft *draft)
{
	if (weigh_items(builder, draft) <= UINT32_MAX)
		return false;
	return !draft->is_derived ||
	       !is_too_heavy(builder, map_bucket_draft(builder, draft->bucket.shadow_of));
}

/* 8 */
static void check_weights(strew_builder *builder)
{
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);
		const struct map_item_draft *items = map_bucket_items(builder, draft);

		for (size_t j = 0; j < draft->bucket.item_count; j++)
			check_device_weight(builder, draft, &items[j]);
		if (is_too_heavy(builder, draft))
			map_fault(builder, draft->head.place,
				  "the items of %s weigh %llu together; the sum must be "
				  "below 65536",
				  map_bucket_label(builder, draft).text,
				  (unsigned long long)(weigh_items(builder, draft) /
						       STREW_WEIGHT_ONE));
	}
}

static void check_pool_sizes(strew_builder *builder, const strew_pool *pool,
			     uint32_t place)
{
	if (pool->size < 1 || pool->size > 255)
		map_fault(builder, place,
			  "pool %.96s has the size %d; it must be from 1 to 255",
			  pool->name, pool->size);
	else if (pool->min_size < 1 || pool->min_size > pool->size)
		map_fault(builder, place,
			  "pool %.96s has the min_size %d; it must be from 1 to its "
			  "size, %d",
			  pool->name, pool->min_size, pool->size);
	else if (pool->kind == STREW_KIND_ERASURE &&
		 (pool->k < 0 || pool->k > pool->size))
		map_fault(builder, place,
			  "pool %.96s has %d data shards; it must have from 1 to its "
			  "size, %d",
			  pool->name, pool->k, pool->size);
	if (pool->pg_num < 1)
		map_fault(builder, place,
			  "pool %.96s has no PGs; pg_num must be 1 or more", pool->name);
	else if (pool->pgp_num > pool->pg_num)
		map_fault(builder, place,
			  "pool %.96s has the pgp_num %u; it must be from 1 to its "
			  "pg_num, %u",
			  pool->name, pool->pgp_num, pool->pg_num);
}

static void check_pool_rule(strew_builder *builder, const struct map_pool_draft *draft)
{
	const strew_pool *pool = &draft->pool;

	if (map_list_find(&builder->rules, pool->rule, 0) ||
	    builder->refuses_all[MAP_RULES])
		return;
	if (draft->rule_name && pool->rule < 0)
		map_fault(builder, draft->head.place,
			  "pool %.96s has the rule \"%.96s\", which does not exist%s",
			  pool->name, draft->rule_name,
			  map_hint(builder, draft->rule_name, &builder->rule_names).text);
	else
		map_fault(builder, draft->head.place,
			  "pool %.96s has the rule %d, which does not exist; add it too",
			  pool->name, (int)pool->rule);
}

static void check_pool(strew_builder *builder, const struct map_pool_draft *draft)
{
	const strew_pool *pool = &draft->pool;

	if (pool->kind != STREW_KIND_REPLICATED && pool->kind != STREW_KIND_ERASURE)
		map_fault(builder, draft->head.place,
			  "pool %.96s is of kind %d; it must be replicated (1) or "
			  "erasure (3)",
			  pool->name, (int)pool->kind);
	if (pool->object_hash < 0 || pool->object_hash > UINT8_MAX)
		map_fault(builder, draft->head.place,
			  "pool %.96s has the object_hash %d; it must be from 0 to 255",
			  pool->name, pool->object_hash);
	check_pool_rule(builder, draft);
	check_pool_sizes(builder, pool, draft->head.place);
}

/* 10 */
static void check_pools(strew_builder *builder)
{
	for (size_t i = 0; i < builder->pools.vec.count; i++) {
		const struct map_pool_draft *draft = map_list_at(&builder->pools, i);

		if (!draft->head.stub)
			check_pool(builder, draft);
	}
}

/* 11 */
static void check_rows(strew_builder *builder)
{
	for (size_t i = 0; i < builder->rows.vec.count; i++) {
		const struct map_row_draft *row = map_list_at(&builder->rows, i);
		const struct map_bucket_draft *draft =
			map_bucket_draft(builder, row->bucket);

		if (row->count == draft->bucket.item_count || draft->head.refused)
			continue;
		map_fault(
			builder, row->head.place,
			"weight set %lld has %zu %s for %s, which has %zu items; there "
			"must be one an item",
			(long long)row->set, row->count, row->is_ids ? "ids" : "weights",
			map_bucket_label(builder, draft).text, draft->bucket.item_count);
	}
}

/* 12 */
static void check_shares(strew_builder *builder)
{
	for (size_t i = 0; i < builder->facts.vec.count; i++) {
		const struct map_fact_draft *fact = map_list_at(&builder->facts, i);

		if (fact->share > STREW_WEIGHT_ONE)
			map_fault(builder, fact->head.place,
				  "%s has a %s of %.5f; it must be from 0 to 1",
				  map_label(builder, fact->device).text,
				  fact->kind == MAP_REWEIGHT ? "reweight"
							     : "primary affinity",
				  fact->share / (double)STREW_WEIGHT_ONE);
	}
}

/* 13. Clusters keep overrides of what is gone; they mean nothing. */
static void check_overrides(strew_builder *builder)
{
	for (size_t i = 0; i < builder->overrides.vec.count; i++) {
		struct map_override_draft *draft = map_list_at(&builder->overrides, i);
		const struct map_pool_draft *pool =
			map_list_find(&builder->pools, draft->pg.pool, 0);

		draft->head.gone = pool == NULL || draft->pg.seed >= pool->pool.pg_num;
		if (pool == NULL && builder->refuses_all[MAP_POOLS])
			continue;
		if (pool == NULL)
			map_warn(builder, draft->head.place,
				 "an override of PG %lld.%x is dropped, because there is "
				 "no such pool",
				 (long long)draft->pg.pool, draft->pg.seed);
		else if (draft->head.gone)
			map_warn(builder, draft->head.place,
				 "an override of PG %lld.%x is dropped, because the pool "
				 "has %u PGs",
				 (long long)draft->pg.pool, draft->pg.seed,
				 pool->pool.pg_num);
	}
	map_list_compact(&builder->overrides);
}

/* The words of a table: a straw's length or a sum for each item, the nodes of a binary
 * tree over the items, or the weight of items that an empty uniform bucket would have. */
static size_t table_words(const strew_bucket *bucket)
{
	size_t words = 1;

	if (strcmp(bucket->alg, "straw") == 0 || strcmp(bucket->alg, "list") == 0)
		return bucket->item_count;
	if (strcmp(bucket->alg, "uniform") == 0)
		return bucket->item_count == 0;
	if (strcmp(bucket->alg, "tree") != 0)
		return 0;
	while (words < bucket->item_count * 2)
		words *= 2;
	return words;
}

/* 14 */
static void check_tables(strew_builder *builder)
{
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);
		size_t words = table_words(&draft->bucket);

		if (draft->bucket.table == NULL || draft->head.refused ||
		    draft->bucket.table_words == words)
			continue;
		map_fault(builder, draft->head.place,
			  "%s has %zu stored numbers for its selector, %.32s; with %zu "
			  "items it must have %zu",
			  map_bucket_label(builder, draft).text,
			  draft->bucket.table_words, draft->bucket.alg,
			  draft->bucket.item_count, words);
	}
}

static void (*const checks[])(strew_builder *) = {
	check_ids,         check_names,   check_types,     check_items,
	map_check_hanging, check_weights, map_check_rules, check_pools,
	check_rows,        check_shares,  check_overrides, check_tables,
};

void map_check(strew_builder *builder)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && !builder->failed;
	     i++)
		checks[i](builder);
}
