/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "compile_priv.h"
#include "select.h"

void *compile_at(const struct compile_pass *pass, uint32_t offset)
{
	return pass->flat ? (char *)pass->flat + offset : NULL;
}

uint32_t compile_add_array(struct compile_pass *pass, uint64_t count)
{
	return flat_layout_add(&pass->layout, count, sizeof(uint32_t), sizeof(uint32_t));
}

/* The name of every selector, for a message. */
static void join_names(char *text, size_t room)
{
	const char *const *names = select_names();
	size_t used = 0;
	int written;

	text[0] = '\0';
	for (size_t i = 0; names[i] && used < room; i++) {
		written = snprintf(text + used, room - used, "%s%s", i ? ", " : "",
				   names[i]);
		used += written > 0 ? (size_t)written : 0;
	}
}

static strew_status refuse_name(const strew_bucket *bucket, strew_error *error)
{
	char names[256];

	join_names(names, sizeof(names));
	return base_error_set(error, STREW_EMAP,
			      "bucket %.96s (id %d) has the selector \"%.64s\", which is "
			      "not known; known are %s",
			      bucket->name, (int)bucket->id, bucket->alg, names);
}

static strew_status refuse_count(const strew_bucket *bucket, const struct select_ops *ops,
				 strew_error *error)
{
	return base_error_set(
		error, STREW_EMAP,
		"bucket %.96s (id %d) has %zu items, but the selector \"%s\" "
		"takes at most %u",
		bucket->name, (int)bucket->id, bucket->item_count, ops->name,
		ops->max_items);
}

static strew_status find_selector(const struct select_ops **out,
				  const strew_bucket *bucket, strew_error *error)
{
	const struct select_ops *ops = select_find(bucket->alg);

	if (ops == NULL)
		return refuse_name(bucket, error);
	if (ops->max_items && bucket->item_count > ops->max_items)
		return refuse_count(bucket, ops, error);
	*out = ops;
	return STREW_OK;
}

/* An item's id as a ref. The model has every item that a bucket or a take names. */
static int32_t ref_of(const strew_map *map, int32_t id)
{
	if (id >= 0)
		return (int32_t)map_device_index(map, id);
	return -1 - (int32_t)map_bucket_index(map, id);
}

static void fill_items(const struct compile_pass *pass, const strew_bucket *bucket,
		       struct flat_bucket *flat)
{
	int32_t *ids = (int32_t *)((char *)flat + flat->ids);
	int32_t *refs = (int32_t *)((char *)flat + flat->refs);
	uint32_t *weights = (uint32_t *)((char *)flat + flat->weights);

	for (size_t i = 0; i < bucket->item_count; i++) {
		ids[i] = bucket->items[i].id;
		weights[i] = bucket->items[i].weight;
		if (flat->refs != flat->ids)
			refs[i] = ref_of(pass->map, bucket->items[i].id);
	}
}

/* A file's own table wins over a made one: it decides where that cluster's data is. */
static strew_status fill_table(const struct compile_pass *pass,
			       const strew_bucket *bucket, const struct select_ops *ops,
			       struct flat_bucket *flat)
{
	struct select_source source = {
		.bucket = bucket->id,
		.count = flat->count,
		.ids = flat_ids(flat),
		.weights = flat_weights(flat),
		.straw_calc_version = bucket->straw_calc_version,
	};
	uint32_t *table = (uint32_t *)((char *)flat + flat->table);

	if (bucket->table == NULL || bucket->table_words != flat->table_words)
		return select_prepare(ops, &source, table, pass->allocator, pass->error);
	for (uint32_t i = 0; i < flat->table_words; i++)
		table[i] = bucket->table[i];
	return STREW_OK;
}

/* What the record has again. */
static void fill_head(struct flat_bucket *flat)
{
	if (flat->count > 0)
		flat->first_id = flat_ids(flat)[0];
	for (uint32_t i = 0; i < FLAT_HEAD && i < flat->table_words; i++)
		flat->head[i] = flat_table(flat)[i];
}

/* Too many for a block, by their ids and weights alone: not looked at. */
static bool are_too_many(const strew_bucket *bucket)
{
	return bucket->item_count > UINT32_MAX / 8;
}

static bool weigh_alike(const strew_bucket *bucket)
{
	if (are_too_many(bucket))
		return false;
	for (size_t i = 1; i < bucket->item_count; i++) {
		if (bucket->items[i].weight != bucket->items[0].weight)
			return false;
	}
	return true;
}

static uint32_t table_words(const struct select_ops *ops, const strew_bucket *bucket)
{
	uint32_t count = (uint32_t)bucket->item_count;

	if (count == 0)
		return 0;
	return select_table_words(
		ops, ops->flags & SELECT_SETS && weigh_alike(bucket) ? 0 : count);
}

/* Have devices no gaps in their ids? Then an id is also the device's ref. */
static bool has_all_ids(const strew_map *map)
{
	size_t count = map->device_count;

	return count == 0 || (size_t)map->devices[count - 1].id == count - 1;
}

static bool refs_are_ids(const strew_map *map, const strew_bucket *bucket)
{
	if (are_too_many(bucket))
		return false;
	for (size_t i = 0; i < bucket->item_count; i++) {
		int32_t id = bucket->items[i].id;

		if (id < 0 ? ref_of(map, id) != id : !has_all_ids(map))
			return false;
	}
	return true;
}

/* Lay out what a bucket's record points at: offsets are from the record. */
static struct flat_bucket add_bucket_arrays(struct compile_pass *pass, uint32_t record,
					    const strew_bucket *bucket, uint32_t words)
{
	size_t count = bucket->item_count;
	struct flat_bucket flat = {.count = (uint32_t)count, .table_words = words};

	/* What is read together lies together. */
	if (words)
		flat.table = compile_add_array(pass, words) - record;
	flat.ids = compile_add_array(pass, count) - record;
	flat.refs = flat.ids;
	if (!refs_are_ids(pass->map, bucket))
		flat.refs = compile_add_array(pass, count) - record;
	flat.weights = compile_add_array(pass, count) - record;
	return flat;
}

static strew_status add_bucket(struct compile_pass *pass, uint32_t record,
			       const strew_bucket *bucket)
{
	const struct select_ops *ops = NULL;
	struct flat_bucket *flat = compile_at(pass, record);
	struct flat_bucket filled;
	strew_status status;

	status = find_selector(&ops, bucket, pass->error);
	if (status != STREW_OK)
		return status;
	if (pass->header.max_items < bucket->item_count)
		pass->header.max_items = (uint32_t)bucket->item_count;
	pass->header.any_uniform |= (ops->flags & SELECT_PERMUTES) != 0;
	filled = add_bucket_arrays(pass, record, bucket, table_words(ops, bucket));
	if (flat == NULL)
		return STREW_OK;
	filled.id = bucket->id;
	filled.type = bucket->type;
	filled.selector = select_index(ops);
	filled.hash = bucket->hash;
	filled.uniform = (ops->flags & SELECT_PERMUTES) != 0;
	*flat = filled;
	fill_items(pass, bucket, flat);
	status = flat->table_words ? fill_table(pass, bucket, ops, flat) : STREW_OK;
	fill_head(flat);
	return status;
}

static strew_status add_buckets(struct compile_pass *pass, uint32_t records)
{
	const strew_map *map = pass->map;
	strew_status status = STREW_OK;

	for (size_t i = 0; i < map->bucket_count && status == STREW_OK; i++)
		status = add_bucket(pass,
				    records + (uint32_t)(i * sizeof(struct flat_bucket)),
				    &map->buckets[i]);
	return status;
}

static void fill_steps(const strew_map *map, const struct map_rule *rule,
		       struct flat_step *steps)
{
	for (size_t i = 0; i < rule->step_count; i++) {
		steps[i].op = (int32_t)rule->steps[i].op;
		steps[i].arg1 = rule->steps[i].arg1;
		steps[i].arg2 = rule->steps[i].arg2;
		if (rule->steps[i].op == STREW_OP_TAKE)
			steps[i].arg1 = ref_of(map, rule->steps[i].arg1);
	}
}

/* The longest run of choosemsr steps between takes and emits. */
static uint32_t count_msr_steps(const struct map_rule *rule)
{
	uint32_t run = 0;
	uint32_t max = 0;

	for (size_t i = 0; i < rule->step_count; i++) {
		strew_op op = rule->steps[i].op;

		if (op == STREW_OP_CHOOSE_MSR)
			run++;
		else if (op == STREW_OP_TAKE || op == STREW_OP_EMIT)
			run = 0;
		if (max < run)
			max = run;
	}
	return max;
}

static void add_rule(struct compile_pass *pass, uint32_t record,
		     const struct map_rule *rule)
{
	struct flat_rule *flat = compile_at(pass, record);
	uint32_t steps = flat_layout_add(&pass->layout, rule->step_count,
					 sizeof(struct flat_step), sizeof(uint32_t));
	uint32_t msr_steps = count_msr_steps(rule);

	if (pass->header.max_msr_steps < msr_steps)
		pass->header.max_msr_steps = msr_steps;
	if (flat == NULL)
		return;
	flat->id = rule->id;
	flat->kind = (int32_t)rule->kind;
	flat->steps = steps;
	flat->step_count = (uint32_t)rule->step_count;
	fill_steps(pass->map, rule, compile_at(pass, steps));
}

static uint32_t add_rules(struct compile_pass *pass)
{
	const strew_map *map = pass->map;
	uint32_t records = flat_layout_add(&pass->layout, map->rule_count,
					   sizeof(struct flat_rule), FLAT_ALIGN);

	for (size_t i = 0; i < map->rule_count; i++)
		add_rule(pass, records + (uint32_t)(i * sizeof(struct flat_rule)),
			 &map->rules[i]);
	return records;
}

static void add_devices(struct compile_pass *pass, uint32_t *ids_at,
			uint32_t *reweights_at)
{
	const strew_map *map = pass->map;
	int32_t *ids;
	uint32_t *reweights;

	*ids_at = has_all_ids(map) ? 0 : compile_add_array(pass, map->device_count);
	*reweights_at = compile_add_array(pass, map->device_count);
	if (pass->flat == NULL)
		return;
	ids = compile_at(pass, *ids_at);
	reweights = compile_at(pass, *reweights_at);
	for (size_t i = 0; i < map->device_count; i++) {
		if (*ids_at)
			ids[i] = map->devices[i].id;
		reweights[i] = map->devices[i].reweight;
		pass->header.any_out |= reweights[i] < FLAT_IN;
	}
}

struct flat_tunables compile_tunables(const struct map_tunables *from)
{
	return (struct flat_tunables){
		.choose_local_tries = from->choose_local_tries,
		.choose_local_fallback_tries = from->choose_local_fallback_tries,
		.choose_total_tries = from->choose_total_tries,
		.chooseleaf_descend_once = from->chooseleaf_descend_once,
		.chooseleaf_vary_r = from->chooseleaf_vary_r,
		.chooseleaf_stable = from->chooseleaf_stable,
		.msr_descents = from->msr_descents,
		.msr_collision_tries = from->msr_collision_tries,
	};
}

static void add_counts(struct flat *header, const strew_map *map)
{
	header->bucket_count = (uint32_t)map->bucket_count;
	header->device_count = (uint32_t)map->device_count;
	header->rule_count = (uint32_t)map->rule_count;
	header->set_count = (uint32_t)map->weight_set_count;
	header->tunables = compile_tunables(&map->tunables);
}

static strew_status run_pass(struct compile_pass *pass)
{
	struct flat *header = &pass->header;
	strew_status status;

	pass->layout.used = 0;
	memset(header, 0, sizeof(*header));
	flat_layout_add(&pass->layout, 1, sizeof(*header), FLAT_ALIGN);
	add_counts(header, pass->map);
	header->buckets = flat_layout_add(&pass->layout, pass->map->bucket_count,
					  sizeof(struct flat_bucket), FLAT_ALIGN);
	header->rules = add_rules(pass);
	add_devices(pass, &header->device_ids, &header->device_reweights);
	status = add_buckets(pass, header->buckets);
	if (status == STREW_OK)
		header->sets = compile_sets(pass);
	/* What vector code reads behind the last array. */
	compile_add_array(pass, FLAT_PAD);
	header->size = pass->layout.used;
	return status;
}

/* The second pass, into a new block. */
static strew_status fill_block(struct compile_pass *pass)
{
	uint64_t size = pass->header.size;
	strew_status status;

	if (!flat_layout_fits(&pass->layout))
		return base_error_set(pass->error, STREW_ERANGE,
				      "the map is too large to be compiled: it would "
				      "take more than 4 GiB");
	pass->flat = base_calloc(pass->allocator, 1, (size_t)size);
	if (pass->flat == NULL)
		return base_error_nomem(pass->error);
	status = run_pass(pass);
	/* A pass that fails stops early, but the block has its size. */
	pass->header.size = size;
	*pass->flat = pass->header;
	return status == STREW_OK ? compile_levels(pass->flat, pass) : status;
}

strew_status compile_map(struct flat **out, const strew_map *map,
			 const strew_allocator *allocator, strew_error *error)
{
	struct compile_pass pass = {.map = map, .allocator = allocator, .error = error};
	strew_status status;

	status = run_pass(&pass);
	if (status == STREW_OK)
		status = fill_block(&pass);
	if (status != STREW_OK) {
		compile_free(pass.flat, allocator);
		pass.flat = NULL;
	}
	*out = pass.flat;
	return status;
}

void compile_free(struct flat *flat, const strew_allocator *allocator)
{
	if (flat)
		base_free(allocator, flat, (size_t)flat->size);
}
