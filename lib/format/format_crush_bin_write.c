/* SPDX-License-Identifier: MIT */
/* Writes Ceph's binary CRUSH map, as Ceph's own tools do. */
#include <string.h>

#include "base_error.h"
#include "format_crush_bin_write.h"

/* One more than the highest device that a bucket holds or that has a name. */
static uint32_t count_devices(const strew_map *map)
{
	size_t named = map->device_count;
	int32_t highest = -1;

	while (named > 0 && map->devices[named - 1].unnamed)
		named--;
	if (named > 0)
		highest = map->devices[named - 1].id;
	for (size_t i = 0; i < map->bucket_count; i++)
		for (size_t j = 0; j < map->buckets[i].item_count; j++)
			if (map->buckets[i].items[j].id > highest)
				highest = map->buckets[i].items[j].id;
	return (uint32_t)(highest + 1);
}

uint8_t format_bin_alg(const char *alg)
{
	for (uint8_t i = 1; i < FORMAT_BIN_ALGS; i++)
		if (strcmp(format_bin_algs[i], alg) == 0)
			return i;
	return 0;
}

/* The bucket's stored table, or the one that its selector makes. */
static void find_table(struct format_bin_out *out, const strew_bucket *bucket)
{
	struct format_bin_items items = {
		.alg = bucket->alg,
		.bucket = bucket->id,
		.count = bucket->item_count,
		.straw_calc_version = bucket->straw_calc_version,
	};
	bool good = true;

	out->ids.count = out->weights.count = out->table.count = 0;
	for (size_t i = 0; good && i < bucket->item_count; i++) {
		int32_t *id = base_vec_push(&out->ids, out->allocator, sizeof(*id));
		uint32_t *weight =
			base_vec_push(&out->weights, out->allocator, sizeof(*weight));

		good = id && weight;
		if (good) {
			*id = bucket->items[i].id;
			*weight = bucket->items[i].weight;
		}
	}
	items.ids = out->ids.items;
	items.weights = out->weights.items;
	if (!good || !format_bin_make_table(&out->table, &items, out->allocator))
		format_out_no_memory(&out->to);
}

static void write_tree(struct format_bin_out *out, const uint32_t *table, size_t words)
{
	base_bytes_put_u8(&out->to.text, (uint8_t)words);
	for (size_t i = 0; i < words; i++)
		base_bytes_put_u32(&out->to.text, table[i]);
}

static void write_uniform(struct format_bin_out *out, const strew_bucket *bucket)
{
	uint32_t weight = bucket->table ? bucket->table[0] : 0;

	base_bytes_put_u32(&out->to.text,
			   bucket->item_count ? bucket->items[0].weight : weight);
}

/* The weights, and in a list or straw bucket beside each what the table has for it. */
static void write_weights(struct format_bin_out *out, const strew_bucket *bucket,
			  const uint32_t *table)
{
	for (size_t i = 0; i < bucket->item_count; i++) {
		base_bytes_put_u32(&out->to.text, bucket->items[i].weight);
		if (table)
			base_bytes_put_u32(&out->to.text, table[i]);
	}
}

static void write_numbers(struct format_bin_out *out, const strew_bucket *bucket)
{
	const uint32_t *table = bucket->table;
	size_t words = bucket->table_words;

	if (strcmp(bucket->alg, "uniform") == 0) {
		write_uniform(out, bucket);
		return;
	}
	if (strcmp(bucket->alg, "straw2") == 0) {
		write_weights(out, bucket, NULL);
		return;
	}
	if (table == NULL) {
		find_table(out, bucket);
		table = out->table.items;
		words = out->table.count;
	}
	if (format_out_stopped(&out->to))
		return;
	if (strcmp(bucket->alg, "tree") == 0)
		write_tree(out, table, words);
	else
		write_weights(out, bucket, table);
}

static void write_bucket(struct format_bin_out *out, const strew_bucket *bucket)
{
	struct base_str *text = &out->to.text;
	uint8_t alg = format_bin_alg(bucket->alg);

	base_bytes_put_u32(&out->to.text, alg);
	base_bytes_put_i32(text, bucket->id);
	base_bytes_put_u16(text, (uint16_t)bucket->type);
	base_bytes_put_u8(text, alg);
	base_bytes_put_u8(text, bucket->hash);
	base_bytes_put_u32(&out->to.text, bucket->weight);
	base_bytes_put_u32(&out->to.text, (uint32_t)bucket->item_count);
	for (size_t i = 0; i < bucket->item_count; i++)
		base_bytes_put_i32(text, bucket->items[i].id);
	write_numbers(out, bucket);
}

static void write_buckets(struct format_bin_out *out)
{
	const strew_map *map = out->map;
	size_t next = 0;

	for (uint32_t slot = 0; slot < out->layout.bucket_slots; slot++) {
		if (next < map->bucket_count &&
		    map->buckets[next].id == -1 - (int32_t)slot)
			write_bucket(out, &map->buckets[next++]);
		else
			base_bytes_put_u32(&out->to.text, 0);
		format_out_pass(&out->to);
		if (format_out_stopped(&out->to))
			return;
	}
}

static void write_rule(struct format_bin_out *out, const struct map_rule *rule)
{
	struct format_mask mask =
		out->dialect->has_masks ? format_mask(rule) : format_usual_mask(rule);
	struct base_str *text = &out->to.text;

	base_bytes_put_u32(&out->to.text, 1);
	base_bytes_put_u32(&out->to.text, (uint32_t)rule->step_count);
	base_bytes_put_u8(text, mask.ruleset);
	base_bytes_put_u8(text, (uint8_t)rule->kind);
	base_bytes_put_u8(text, mask.min_size);
	base_bytes_put_u8(text, mask.max_size);
	for (size_t i = 0; i < rule->step_count; i++) {
		base_bytes_put_u32(&out->to.text, (uint32_t)rule->steps[i].op);
		base_bytes_put_i32(text, rule->steps[i].arg1);
		base_bytes_put_i32(text, rule->steps[i].arg2);
	}
}

static void write_rules(struct format_bin_out *out)
{
	const strew_map *map = out->map;
	size_t next = 0;

	for (uint32_t slot = 0; slot < out->layout.rule_slots; slot++) {
		if (next < map->rule_count && map->rules[next].id == (int32_t)slot)
			write_rule(out, &map->rules[next++]);
		else
			base_bytes_put_u32(&out->to.text, 0);
		format_out_pass(&out->to);
	}
}

static void write_all(struct format_bin_out *out)
{
	base_bytes_put_u32(&out->to.text, FORMAT_BIN_MAGIC);
	base_bytes_put_u32(&out->to.text, out->layout.bucket_slots);
	base_bytes_put_u32(&out->to.text, out->layout.rule_slots);
	base_bytes_put_u32(&out->to.text, count_devices(out->map));
	write_buckets(out);
	write_rules(out);
	format_bin_write_tail(out);
}

static bool prepare(struct format_bin_out *out)
{
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->class_count; i++)
		if (!format_names_add(&out->classes, out->allocator, map->classes[i].name,
				      map->classes[i].id))
			return false;
	format_names_sort(&out->classes);
	out->layout = map_layout_of(map);
	/* Releases with MSR rules write their part for any map. */
	if (map->layout.tail == MAP_TAIL_USUAL && out->dialect->has_msr)
		out->layout.tail = MAP_TAIL_MSR;
	return true;
}

static strew_status write_out(const strew_map *map, const struct format_output *output,
			      strew_error *error)
{
	struct format_bin_out out = {
		.map = map, .allocator = output->allocator, .dialect = output->dialect};

	format_out_init(&out.to, output);
	if (prepare(&out))
		write_all(&out);
	else
		format_out_no_memory(&out.to);
	format_names_free(&out.classes, output->allocator);
	base_vec_free(&out.ids, output->allocator);
	base_vec_free(&out.weights, output->allocator);
	base_vec_free(&out.table, output->allocator);
	base_vec_free(&out.entries, output->allocator);
	return format_out_end(&out.to, error);
}

strew_status format_bin_write(const strew_map *map, const struct format_output *output,
			      strew_error *error)
{
	struct format_losses losses = {.output = output};
	strew_status status;

	status = format_bin_lose(&losses, map, error);
	if (status == STREW_OK)
		status = format_losses_end(&losses, "crush-bin", error);
	return status == STREW_OK ? write_out(map, output, error) : status;
}
