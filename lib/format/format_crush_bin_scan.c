/* SPDX-License-Identifier: MIT */
/* The records of a binary CRUSH map, and the first reading of one. */
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "format_crush_bin_priv.h"

const char *const format_bin_algs[FORMAT_BIN_ALGS] = {NULL,   "uniform", "list",
						      "tree", "straw",   "straw2"};

enum { UNIFORM = 1, LIST, TREE, STRAW, STRAW2 };

/* The least that an entry of each kind takes. */
#define SLOT_SIZE 4
#define STEP_SIZE 12

/* Ids of rules end at 65535. */
#define RULE_SLOTS_MAX 65536

bool format_bin_good(const struct format_bin *file)
{
	return file->status == STREW_OK && file->bytes.lacks == 0;
}

void format_bin_no_memory(struct format_bin *file)
{
	if (file->status == STREW_OK)
		file->status = base_error_nomem(file->error);
}

void format_bin_refuse(struct format_bin *file, size_t at, const char *text, ...)
{
	char where[256];
	va_list args;

	if (!format_bin_good(file))
		return;
	snprintf(where, sizeof(where), "%.200s: %s", file->name,
		 base_bytes_place(at).text);
	va_start(args, text);
	file->status =
		base_error_vat(file->error, STREW_ESYNTAX, where, 0, 0, text, args);
	va_end(args);
}

static void refuse_short(struct format_bin *file)
{
	uint64_t lacks = file->bytes.lacks;

	if (file->status != STREW_OK || lacks == 0)
		return;
	file->bytes.lacks = 0;
	format_bin_refuse(
		file, file->bytes.at,
		"%s: %llu byte%s missing at the end of the file, byte 0x%zx; is it cut "
		"short, or a length before this wrong?",
		file->what, (unsigned long long)lacks, lacks == 1 ? " is" : "s are",
		file->bytes.end);
}

/* What failed is still that. */
void format_bin_now(struct format_bin *file, const char *what)
{
	if (format_bin_good(file))
		snprintf(file->what, sizeof(file->what), "%s", what);
}

/* Is there room for so many things, of at least this size? Else the number is wrong. */
bool format_bin_accept(struct format_bin *file, size_t at, uint64_t count, size_t size)
{
	size_t left = base_bytes_left(&file->bytes);

	if (!format_bin_good(file))
		return false;
	if (count <= left / size)
		return true;
	format_bin_refuse(
		file, at,
		"%s: there are said to be %llu here, of at least %zu bytes each, "
		"but only %zu bytes follow",
		file->what, (unsigned long long)count, size, left);
	return false;
}

static void get_numbers(struct format_bin *file, struct format_bin_bucket *bucket)
{
	size_t words = bucket->alg == LIST || bucket->alg == STRAW ? 2 : 1;

	if (bucket->alg == UNIFORM) {
		bucket->item_weight = base_bytes_get_u32(&file->bytes);
		return;
	}
	if (bucket->alg == TREE)
		bucket->nodes = base_bytes_get_u8(&file->bytes);
	bucket->numbers_at = file->bytes.at;
	bucket->numbers = base_bytes_get(
		&file->bytes, bucket->alg == TREE ? bucket->nodes : bucket->size,
		4 * words);
}

/* A binary tree over the items; with none there may be a lonely root. */
static bool accept_nodes(const struct format_bin_bucket *bucket)
{
	uint32_t nodes = 1;

	while (nodes < 2 * (uint64_t)bucket->size && nodes < 256)
		nodes *= 2;
	return bucket->nodes == nodes || (bucket->size == 0 && bucket->nodes == 0);
}

static void check_bucket(struct format_bin *file, const struct format_bin_bucket *bucket,
			 uint32_t alg)
{
	if (bucket->alg == 0 || bucket->alg >= FORMAT_BIN_ALGS)
		format_bin_refuse(
			file, bucket->at + 6,
			"%s has the algorithm %u; there are 1 (uniform), 2 (list), "
			"3 (tree), 4 (straw) and 5 (straw2)",
			file->what, bucket->alg);
	else if (alg != bucket->alg)
		format_bin_refuse(
			file, bucket->at + 6,
			"%s has the algorithm %u, but %u before its id; both must "
			"be the same",
			file->what, bucket->alg, alg);
}

bool format_bin_get_bucket(struct format_bin *file, struct format_bin_bucket *bucket)
{
	struct base_bytes *bytes = &file->bytes;
	uint32_t alg;

	*bucket = (struct format_bin_bucket){.at = bytes->at};
	bytes->at -= 4;
	alg = base_bytes_get_u32(bytes);
	bucket->id = base_bytes_get_i32(bytes);
	bucket->type = base_bytes_get_u16(bytes);
	bucket->alg = base_bytes_get_u8(bytes);
	bucket->hash = base_bytes_get_u8(bytes);
	if (format_bin_good(file))
		check_bucket(file, bucket, alg);
	bucket->weight = base_bytes_get_u32(bytes);
	bucket->size = base_bytes_get_u32(bytes);
	if (!format_bin_accept(file, bucket->at + 12, bucket->size, 4))
		return false;
	bucket->items_at = bytes->at;
	bucket->items = base_bytes_get(bytes, bucket->size, 4);
	get_numbers(file, bucket);
	if (format_bin_good(file) && bucket->alg == TREE && !accept_nodes(bucket))
		format_bin_refuse(file, bucket->numbers_at - 1,
				  "%s has a tree of %u nodes, which doesn't fit its %u "
				  "items: it must have the power of two that is at least "
				  "twice as many, at most 128",
				  file->what, bucket->nodes, bucket->size);
	return format_bin_good(file);
}

uint32_t format_bin_weight(const struct format_bin_bucket *bucket, size_t item)
{
	if (bucket->alg == UNIFORM)
		return bucket->item_weight;
	if (bucket->alg == LIST || bucket->alg == STRAW)
		return base_bytes_u32_at(bucket->numbers, 2 * item);
	return base_bytes_u32_at(bucket->numbers,
				 bucket->alg == TREE ? 2 * item + 1 : item);
}

bool format_bin_get_rule(struct format_bin *file, struct format_bin_rule *rule)
{
	struct base_bytes *bytes = &file->bytes;

	*rule = (struct format_bin_rule){.at = bytes->at};
	rule->step_count = base_bytes_get_u32(bytes);
	rule->ruleset = base_bytes_get_u8(bytes);
	rule->kind = base_bytes_get_u8(bytes);
	rule->min_size = base_bytes_get_u8(bytes);
	rule->max_size = base_bytes_get_u8(bytes);
	if (format_bin_accept(file, rule->at, rule->step_count, STEP_SIZE))
		rule->steps = base_bytes_get(bytes, rule->step_count, STEP_SIZE);
	return format_bin_good(file);
}

struct format_bin_bucket format_bin_bucket_at(struct format_bin *file, size_t slot)
{
	struct format_bin_bucket bucket;

	file->bytes.at = file->buckets[slot];
	format_bin_get_bucket(file, &bucket);
	return bucket;
}

struct format_bin_rule format_bin_rule_at(struct format_bin *file, size_t slot)
{
	struct format_bin_rule rule;

	file->bytes.at = file->rules[slot];
	format_bin_get_rule(file, &rule);
	return rule;
}

size_t format_bin_find_bucket(const struct format_bin *file, int32_t id)
{
	size_t slot = (size_t)(-1 - (int64_t)id);

	return id < 0 && slot < file->bucket_slots ? file->buckets[slot] : 0;
}

static void scan_header(struct format_bin *file)
{
	struct base_bytes *bytes = &file->bytes;
	size_t start = bytes->at; /* in an OSD map this is not the file's */
	uint32_t magic;

	format_bin_now(file, "the header");
	magic = base_bytes_get_u32(bytes);
	if (format_bin_good(file) && magic != FORMAT_BIN_MAGIC)
		format_bin_refuse(
			file, start,
			"a binary CRUSH map begins with the number 0x%08x; this "
			"begins with 0x%08x",
			FORMAT_BIN_MAGIC, magic);
	file->bucket_slots = base_bytes_get_u32(bytes);
	file->rule_slots = base_bytes_get_u32(bytes);
	base_bytes_get_u32(bytes); /* devices; those that there are decide */
	format_bin_now(file, "the array of buckets");
	if (!format_bin_accept(file, start + 4, file->bucket_slots, SLOT_SIZE))
		return;
	format_bin_now(file, "the array of rules");
	format_bin_accept(file, start + 8, file->rule_slots, SLOT_SIZE);
	if (file->rule_slots > RULE_SLOTS_MAX)
		format_bin_refuse(file, start + 8,
				  "there are %u slots for rules; there can be at most %u",
				  file->rule_slots, RULE_SLOTS_MAX);
}

static size_t *make_slots(struct format_bin *file, uint32_t count)
{
	size_t *slots;

	/* A count that was refused may be any number. */
	if (!format_bin_good(file))
		return NULL;
	/* One more, since an array of nothing is no array. */
	slots = base_calloc(file->allocator, (size_t)count + 1, sizeof(*slots));
	if (slots == NULL)
		format_bin_no_memory(file);
	return slots;
}

static void check_id(struct format_bin *file, const struct format_bin_bucket *bucket,
		     int64_t id)
{
	if (bucket->id != id)
		format_bin_refuse(file, bucket->at,
				  "%s has the id %d; the slot is for %lld", file->what,
				  (int)bucket->id, (long long)id);
}

static void scan_buckets(struct format_bin *file)
{
	if (!format_bin_good(file))
		return;
	file->buckets = make_slots(file, file->bucket_slots);
	for (uint32_t i = 0; i < file->bucket_slots && format_bin_good(file); i++) {
		int64_t id = -1 - (int64_t)i;
		struct format_bin_bucket bucket;

		snprintf(file->what, sizeof(file->what), "bucket %lld", (long long)id);
		if (base_bytes_get_u32(&file->bytes) == 0)
			continue;
		file->buckets[i] = file->bytes.at;
		if (format_bin_get_bucket(file, &bucket))
			check_id(file, &bucket, id);
	}
}

static void scan_rules(struct format_bin *file)
{
	if (!format_bin_good(file))
		return;
	file->rules = make_slots(file, file->rule_slots);
	for (uint32_t i = 0; i < file->rule_slots && format_bin_good(file); i++) {
		struct format_bin_rule rule;

		snprintf(file->what, sizeof(file->what), "rule %u", i);
		if (base_bytes_get_u32(&file->bytes) == 0)
			continue;
		file->rules[i] = file->bytes.at;
		format_bin_get_rule(file, &rule);
	}
}

void format_bin_scan(struct format_bin *file)
{
	scan_header(file);
	scan_buckets(file);
	scan_rules(file);
	format_bin_scan_tail(file);
	file->rest_at = file->bytes.at;
	refuse_short(file);
}
