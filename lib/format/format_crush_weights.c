/* SPDX-License-Identifier: MIT */
/* The weight sets ("choose_args") of CRUSH text. */
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "format_crush_text.h"

/* What is read of one bucket in a set. */
struct entry {
	int32_t bucket; /* 0: not known */
};

static bool read_bucket_id(struct format_crush *crush, void *ctx)
{
	struct entry *entry = ctx;
	struct format_crush_weights *part;
	struct format_token at = crush->token;
	int64_t id;

	if (!format_crush_integer(crush, "the id of a bucket, which is below 0",
				  STREW_BUCKET_ID_MIN, -1, &id))
		return false;
	entry->bucket = (int32_t)id;
	part = format_crush_push(crush, &crush->parts, sizeof(*part));
	if (part)
		*part = (struct format_crush_weights){at, crush->sets, entry->bucket};
	return true;
}

static void *push_number(struct format_crush *crush)
{
	return format_crush_push(crush, &crush->numbers, sizeof(uint32_t));
}

/* A row, from behind its "[" to behind its "]". */
static bool read_row(struct format_crush *crush, const struct format_token *at,
		     const struct entry *entry)
{
	crush->numbers.count = 0;
	while (crush->token.kind != TOKEN_LIST_END) {
		uint32_t weight = 0, *room;

		if (!format_crush_weight(crush, FORMAT_CRUSH_ROW_WEIGHT_MIN, &weight))
			return false;
		room = push_number(crush);
		if (room)
			*room = weight;
	}
	format_crush_next(crush);
	if (entry->bucket != 0 && !crush->failed)
		strew_builder_add_weight_row(format_crush_at(crush, at), entry->bucket,
					     crush->numbers.items, crush->numbers.count);
	return true;
}

static bool read_weight_set(struct format_crush *crush, void *ctx)
{
	if (!format_crush_take(crush, TOKEN_LIST, "\"[\" and rows of weights"))
		return false;
	while (crush->token.kind != TOKEN_LIST_END) {
		struct format_token at = crush->token;

		if (!format_crush_take(crush, TOKEN_LIST,
				       "\"[\" and a row of weights, or \"]\"") ||
		    !read_row(crush, &at, ctx))
			return false;
	}
	format_crush_next(crush);
	return true;
}

static bool read_ids(struct format_crush *crush, void *ctx)
{
	const struct entry *entry = ctx;
	struct format_token at = crush->token;

	if (!format_crush_take(crush, TOKEN_LIST, "\"[\" and ids"))
		return false;
	crush->numbers.count = 0;
	while (crush->token.kind != TOKEN_LIST_END) {
		int64_t id;
		int32_t *room;

		if (!format_crush_integer(crush, "an id, or \"]\"", INT32_MIN, INT32_MAX,
					  &id))
			return false;
		room = push_number(crush);
		if (room)
			*room = (int32_t)id;
	}
	format_crush_next(crush);
	if (entry->bucket != 0 && !crush->failed)
		strew_builder_set_weight_ids(format_crush_at(crush, &at), entry->bucket,
					     crush->numbers.items, crush->numbers.count);
	return true;
}

static const struct format_crush_line lines[] = {
	{"bucket_id", 0, false, true, read_bucket_id},
	{"weight_set", 1, false, false, read_weight_set},
	{"ids", 2, false, false, read_ids},
};

/* A pool's id, or -1, which is printed without a sign. */
static bool read_set_id(struct format_crush *crush, int64_t *id)
{
	if (format_crush_word(crush, "18446744073709551615")) {
		*id = -1;
		return true;
	}
	return format_crush_integer(
		crush,
		"the id of a weight set: a pool's, or 18446744073709551615 for all", 0,
		INT64_MAX, id);
}

bool format_crush_choose_args(struct format_crush *crush)
{
	struct format_token start = crush->token;
	struct entry entry = {0};
	int64_t id;

	format_crush_next(crush);
	if (!read_set_id(crush, &id) ||
	    !format_crush_take(crush, TOKEN_OPEN, "\"{\" and the buckets of the set"))
		return false;
	crush->stage = STAGE_WEIGHTS;
	crush->sets++;
	strew_builder_add_weight_set(format_crush_at(crush, &start), id, NULL);
	while (crush->token.kind == TOKEN_OPEN) {
		struct format_token at = crush->token;

		entry.bucket = 0;
		format_crush_next(crush);
		if (!format_crush_block(crush, &at, FORMAT_CRUSH_LINES(lines), &entry) &&
		    crush->token.kind != TOKEN_OPEN && crush->token.kind != TOKEN_CLOSE)
			return false;
	}
	return format_crush_take(crush, TOKEN_CLOSE,
				 "\"{\" and a bucket, or the \"}\" of the set");
}

static int compare_parts(const void *left, const void *right)
{
	const struct format_crush_weights *a = left, *b = right;

	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	if (a->bucket != b->bucket)
		return a->bucket > b->bucket ? -1 : 1;
	return a->at.text < b->at.text ? -1 : 1;
}

static bool exists(const struct format_crush *crush, int32_t bucket)
{
	return crush->has_lost_items ||
	       (crush->ids.count > 0 &&
		bsearch(&bucket, crush->ids.items, crush->ids.count, sizeof(bucket),
			base_compare_ids_down));
}

void format_crush_check_weights(struct format_crush *crush)
{
	struct format_crush_weights *parts = crush->parts.items;

	if (crush->parts.count == 0 || crush->failed)
		return;
	qsort(parts, crush->parts.count, sizeof(*parts), compare_parts);
	for (size_t i = 0; i < crush->parts.count; i++) {
		if (!exists(crush, parts[i].bucket))
			format_crush_fault(crush, &parts[i].at, STREW_EMAP,
					   "there is no bucket with the id %d",
					   (int)parts[i].bucket);
		if (i > 0 && parts[i].set == parts[i - 1].set &&
		    parts[i].bucket == parts[i - 1].bucket)
			format_crush_fault(crush, &parts[i].at, STREW_EMAP,
					   "the bucket %d stands in this set already, in "
					   "line %d",
					   (int)parts[i].bucket, parts[i - 1].at.line);
	}
}
