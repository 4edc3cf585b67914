/* SPDX-License-Identifier: MIT */
/* Rules and weight sets ("choose_args") of a binary CRUSH map. */
#include <string.h>

#include "format_crush_bin_priv.h"

#define STEP_SIZE 12

/* The words that all short rows of a file together may be filled up with: a row without
 * any takes four bytes, and a bucket may have a million items. */
#define PADDING_MAX 1000000

static void tell_rule(struct format_bin *file, uint32_t slot)
{
	struct format_bin_rule rule = format_bin_rule_at(file, slot);
	const struct format_bin_name *name =
		format_bin_find_name(&file->rule_names, (int32_t)slot);
	size_t at = rule.at + 8;

	strew_builder_add_rule(format_bin_builder(file, rule.at), (int32_t)slot,
			       name ? name->name : "", (strew_kind)rule.kind);
	strew_builder_set_rule_mask(file->builder, rule.ruleset, rule.min_size,
				    rule.max_size);
	for (size_t i = 0; i < rule.step_count; i++, at += STEP_SIZE)
		map_add_raw_step(format_bin_builder(file, at),
				 base_bytes_u32_at(rule.steps, 3 * i),
				 (int32_t)base_bytes_u32_at(rule.steps, 3 * i + 1),
				 (int32_t)base_bytes_u32_at(rule.steps, 3 * i + 2));
}

static void tell_stray_names(struct format_bin *file)
{
	const struct format_bin_name *names = file->rule_names.items;

	for (size_t i = 0; i < file->rule_names.count; i++) {
		const struct map_stray stray = {.kind = MAP_STRAY_RULE,
						.id = names[i].key,
						.class_id = -1,
						.name = names[i].name};
		bool is_rule = names[i].key >= 0 &&
			       (uint32_t)names[i].key < file->rule_slots &&
			       file->rules[names[i].key];

		if (!is_rule)
			map_add_stray(format_bin_builder(file, names[i].at), &stray);
	}
}

void format_bin_tell_rules(struct format_bin *file)
{
	for (uint32_t i = 0; i < file->rule_slots && format_bin_good(file); i++)
		if (file->rules[i])
			tell_rule(file, i);
	tell_stray_names(file);
}

/* A bucket's part of a set. */
struct part {
	size_t at;
	int32_t bucket;
	uint32_t item_count;
	bool known; /* else the builder will drop it */
};

static bool may_fill(struct format_bin *file, size_t at, uint32_t more)
{
	if (more <= PADDING_MAX - file->padding) {
		file->padding += more;
		return true;
	}
	strew_builder_report(
		format_bin_builder(file, at), STREW_FAULT, STREW_ERANGE,
		"short rows lack more than %d weights, the most that are filled "
		"up in one file",
		PADDING_MAX);
	return false;
}

/* Ceph cuts a row that is too long, and fills one that is too short with zeros. */
static void tell_row(struct format_bin *file, const struct part *part,
		     struct base_vec *row)
{
	size_t at = file->bytes.at;
	uint32_t stored = base_bytes_get_u32(&file->bytes);
	uint32_t count = part->known ? part->item_count : stored;
	const uint8_t *words = base_bytes_get(&file->bytes, stored, 4);
	uint32_t *weights = NULL;

	if (count > stored && !may_fill(file, at, count - stored))
		return;
	row->count = 0;
	if (count > 0)
		weights = base_vec_extend(row, file->allocator, sizeof(*weights), count);
	if (weights == NULL && count > 0) {
		format_bin_no_memory(file);
		return;
	}
	for (uint32_t i = 0; words && i < count && i < stored; i++)
		weights[i] = base_bytes_u32_at(words, i);
	if (count != stored)
		strew_builder_report(
			format_bin_builder(file, at), STREW_WARNING, STREW_ESYNTAX,
			"the row has %u weights, but the bucket %u items; as in "
			"Ceph it is %s",
			stored, count, count > stored ? "filled up with zeros" : "cut");
	strew_builder_add_weight_row(format_bin_builder(file, at), part->bucket, weights,
				     count);
}

static void tell_ids(struct format_bin *file, const struct part *part,
		     struct base_vec *row)
{
	size_t at = file->bytes.at;
	uint32_t count = base_bytes_get_u32(&file->bytes);
	const uint8_t *words = base_bytes_get(&file->bytes, count, 4);
	int32_t *ids;

	if (count == 0 || words == NULL)
		return;
	row->count = 0;
	ids = base_vec_extend(row, file->allocator, sizeof(*ids), count);
	if (ids == NULL) {
		format_bin_no_memory(file);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		ids[i] = (int32_t)base_bytes_u32_at(words, i);
	strew_builder_set_weight_ids(format_bin_builder(file, at), part->bucket, ids,
				     count);
}

static struct part get_part(struct format_bin *file)
{
	struct part part = {.at = file->bytes.at};
	uint32_t slot = base_bytes_get_u32(&file->bytes);
	size_t next = file->bytes.at;

	/* What no bucket can have is no bucket of the map either. */
	part.bucket = slot < -(int64_t)STREW_BUCKET_ID_MIN ? (int32_t)(-1 - (int64_t)slot)
							   : STREW_BUCKET_ID_MIN;
	part.known = slot < file->bucket_slots && file->buckets[slot];
	if (part.known)
		part.item_count = format_bin_bucket_at(file, slot).size;
	file->bytes.at = next;
	return part;
}

static void tell_part(struct format_bin *file, int64_t set, struct base_vec *row)
{
	struct part part = get_part(file);
	uint32_t positions = base_bytes_get_u32(&file->bytes);
	size_t told = file->bytes.at;

	for (uint32_t i = 0; i < positions && format_bin_good(file); i++)
		tell_row(file, &part, row);
	tell_ids(file, &part, row);
	if (positions == 0 && file->bytes.at == told + 4)
		strew_builder_report(format_bin_builder(file, part.at), STREW_WARNING,
				     STREW_EMAP,
				     "the part of weight set %lld for bucket %d holds "
				     "nothing; it is dropped, as in Ceph",
				     (long long)set, (int)part.bucket);
}

void format_bin_tell_sets(struct format_bin *file)
{
	struct base_vec row = {0};

	file->bytes.at = file->sets_at;
	for (uint32_t i = 0; i < file->set_count && format_bin_good(file); i++) {
		size_t at = file->bytes.at;
		int64_t id = base_bytes_get_i64(&file->bytes);
		uint32_t parts = base_bytes_get_u32(&file->bytes);

		strew_builder_add_weight_set(format_bin_builder(file, at), id, NULL);
		for (uint32_t j = 0; j < parts && format_bin_good(file); j++)
			tell_part(file, id, &row);
	}
	base_vec_free(&row, file->allocator);
}
