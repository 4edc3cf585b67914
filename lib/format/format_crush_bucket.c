/* SPDX-License-Identifier: MIT */
/* The buckets of CRUSH text. */
#include <string.h>

#include "format_crush_text.h"

#define HASH_MAX 255

static struct format_crush_bucket *last_bucket(const struct format_crush *crush)
{
	struct format_crush_bucket *buckets = crush->buckets.items;

	return &buckets[crush->buckets.count - 1];
}

static bool read_pin(struct format_crush *crush, const struct format_token *at,
		     int32_t id)
{
	struct format_token name;
	struct format_crush_pin *pin;

	if (!format_crush_name(crush, "the name of a device class", &name))
		return false;
	map_add_class(crush->builder, name.text);
	pin = format_crush_push(crush, &crush->pins, sizeof(*pin));
	if (pin)
		*pin = (struct format_crush_pin){*at, name.text, crush->buckets.count - 1,
						 id};
	return true;
}

static bool read_id(struct format_crush *crush, void *ctx)
{
	struct format_token at = crush->token;
	int64_t id;

	(void)ctx;
	if (!format_crush_integer(crush,
				  "the id of a bucket, which is from -1 down to "
				  "-1073741824",
				  STREW_BUCKET_ID_MIN, -1, &id))
		return false;
	if (format_crush_word(crush, "class"))
		return read_pin(crush, &at, (int32_t)id);
	/* As in crushtool the last one stands. */
	last_bucket(crush)->id = (int32_t)id;
	return true;
}

static bool read_alg(struct format_crush *crush, void *ctx)
{
	static const char *const algs[] = {"uniform", "list", "tree", "straw", "straw2"};
	struct format_token token = crush->token;

	(void)ctx;
	if (!format_crush_take(crush, TOKEN_WORD, "the algorithm of the bucket"))
		return false;
	for (size_t i = 0; i < sizeof(algs) / sizeof(algs[0]); i++) {
		if (!format_token_is(&token, algs[i]))
			continue;
		last_bucket(crush)->alg = algs[i];
		return true;
	}
	format_crush_fault(
		crush, &token, STREW_EMAP,
		"Ceph has no bucket algorithm \"%.64s\"; it has uniform, list, "
		"tree, straw and straw2",
		token.text);
	last_bucket(crush)->is_refused = true;
	return true;
}

static bool read_hash(struct format_crush *crush, void *ctx)
{
	int64_t hash = 0;

	(void)ctx;
	if (format_crush_word(crush, "rjenkins1"))
		return true;
	if (!format_crush_integer(crush, "the number of a hash: 0 (rjenkins1) to 255", 0,
				  HASH_MAX, &hash))
		return false;
	last_bucket(crush)->hash = (uint8_t)hash;
	return true;
}

static bool read_item(struct format_crush *crush, void *ctx)
{
	struct format_crush_item item = {.weight = STREW_AUTO_WEIGHT, .pos = -1};
	struct format_crush_item *added;
	int64_t pos = -1;

	(void)ctx;
	if (!format_crush_name(crush, "the name of a device or bucket", &item.name))
		return false;
	if (format_crush_word(crush, "weight") &&
	    !format_crush_weight(crush, 0.0f, &item.weight))
		return false;
	if (format_crush_word(crush, "pos") &&
	    !format_crush_integer(crush, "the item's place in the bucket, from 0", 0,
				  INT32_MAX, &pos))
		return false;
	item.pos = (int32_t)pos;
	added = format_crush_push(crush, &crush->items, sizeof(*added));
	if (added == NULL)
		return true;
	*added = item;
	last_bucket(crush)->item_count++;
	return true;
}

static const struct format_crush_line lines[] = {
	{"id", 0, true, false, read_id},
	{"alg", 1, false, true, read_alg},
	{"hash", 2, true, false, read_hash},
	{"item", 3, true, false, read_item},
};

static bool start_bucket(struct format_crush *crush, const struct format_token *type,
			 const struct format_token *name)
{
	struct format_crush_bucket *bucket =
		format_crush_push(crush, &crush->buckets, sizeof(*bucket));

	if (bucket == NULL)
		return false;
	bucket->name = *name;
	bucket->type_name = type->text;
	bucket->alg = "straw2";
	bucket->first_item = crush->items.count;
	return true;
}

bool format_crush_bucket(struct format_crush *crush)
{
	struct format_token type = crush->token, name;
	bool good;

	format_crush_next(crush);
	good = format_crush_name(crush, "the name of a bucket", &name);
	if (!format_crush_take(crush, TOKEN_OPEN,
			       "\"{\" and what the bucket is made of")) {
		crush->has_lost_items = true;
		return false;
	}
	format_crush_turn(crush, &type, STAGE_BUCKETS,
			  "the buckets come before the rules and choose_args");
	if (!start_bucket(crush, &type, &name))
		return false;
	good &= format_crush_block(crush, &type, FORMAT_CRUSH_LINES(lines), NULL);
	last_bucket(crush)->is_refused |= !good;
	return true;
}
