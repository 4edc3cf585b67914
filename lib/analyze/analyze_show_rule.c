/* SPDX-License-Identifier: MIT */
#include "analyze_show_priv.h"

#include <inttypes.h>

/* The rest is counted: rules may have hundreds. */
#define BLOCKS_MAX 6

struct words {
	struct base_str *text;
	const strew_map *map;
	const char *one, *many; /* "copy", "copies" */
	int want;               /* 0: not known */
	int left;               /* of them, for this block and those after it */
	size_t blocks;          /* told so far */
};

/* Devices come from the last step and from no other. */
static bool places_devices(const struct analyze_block *block)
{
	const struct map_step *step;
	size_t at = 0;
	bool found = block->take->arg1 >= 0;

	while ((step = analyze_next_choice(block, &at)) != NULL) {
		if (found)
			return false;
		found = analyze_finds_devices(step);
	}
	return found;
}

/* How many a step asks for; 0: that follows from what is wanted, which isn't known. */
static int64_t count_of(const struct words *words, const struct map_step *step)
{
	if (step->arg1 > 0)
		return step->arg1;
	return words->want > 0 ? (int64_t)words->want + step->arg1 : 0;
}

static void add_shards(const struct words *words, const struct map_step *step,
		       int64_t count, bool is_first)
{
	if (count > 0)
		base_str_addf(words->text, "%s%" PRId64 " %s",
			      !is_first && step->arg1 <= 0 ? "up to " : "", count,
			      count == 1 ? words->one : words->many);
	else if (step->arg1 < 0)
		base_str_addf(words->text, "all but %" PRId64 " %s", -(int64_t)step->arg1,
			      words->many);
	else if (!is_first)
		base_str_addf(words->text, "as many %s as fit", words->many);
	else
		base_str_addf(words->text, "%s %s", words->blocks ? "the last" : "all",
			      words->many);
}

static void add_buckets(const struct words *words, const struct map_step *step,
			int64_t count)
{
	const char *type = strew_map_type_name(words->map, step->arg2);

	if (count > 0) {
		analyze_add_count(words->text, (size_t)count, type ? type : "?");
		return;
	}
	base_str_addf(words->text, "a %s for each %s", type ? type : "?", words->one);
	if (step->arg1 < 0)
		base_str_addf(words->text, " but %" PRId64, -(int64_t)step->arg1);
}

static void add_domain(const struct words *words, const struct map_step *step,
		       int64_t count)
{
	const char *type = strew_map_type_name(words->map, step->arg2);

	if (step->arg2 == 0)
		base_str_add(words->text,
			     count == 1 ? " on a device" : " on different devices");
	else
		base_str_addf(words->text,
			      count == 1 ? " in a %s" : ", each in another %s",
			      type ? type : "?");
}

/* What a block takes, and the class that it is a shadow for. */
static const strew_bucket *taken_bucket(const struct words *words,
					const struct analyze_block *block,
					const char **class_name)
{
	const strew_bucket *bucket =
		strew_map_bucket_by_id(words->map, block->take->arg1);

	*class_name = NULL;
	if (bucket == NULL || bucket->shadow_of == 0)
		return bucket;
	*class_name = bucket->class_name;
	return strew_map_bucket_by_id(words->map, bucket->shadow_of);
}

static int64_t at_most(int64_t count, int most)
{
	return most > 0 && count > most ? most : count;
}

/* "2 racks of default, in each 2 copies, each in another host, hdd only" */
static void add_choices(const struct words *words, const struct analyze_block *block)
{
	const char *class_name;
	const strew_bucket *bucket = taken_bucket(words, block, &class_name);
	const struct map_step *step;
	size_t at = 0;
	bool is_first = true;

	while ((step = analyze_next_choice(block, &at)) != NULL) {
		int64_t count = at_most(count_of(words, step), words->left);

		base_str_add(words->text, is_first ? "" : ", in each ");
		if (analyze_finds_devices(step)) {
			add_shards(words, step, count, is_first);
			add_domain(words, step, count);
		} else {
			add_buckets(words, step, count);
		}
		if (is_first && bucket)
			base_str_addf(words->text, " of %s", bucket->name);
		is_first = false;
	}
	if (class_name)
		base_str_addf(words->text, ", %s only", class_name);
}

/* How many of what is left a block gives; 0: none, or not known. */
static int block_size(const struct words *words, const struct analyze_block *block)
{
	const struct map_step *step;
	int64_t size = words->left > 0;
	size_t at = 0;

	while (size > 0 && (step = analyze_next_choice(block, &at)) != NULL)
		size = at_most(size * count_of(words, step), words->left);
	return size > 0 ? (int)size : 0;
}

static void add_block(struct words *words, const struct analyze_block *block)
{
	int size = block_size(words, block);

	/* With a size that is known, what is too much or too little says nothing. */
	if (!places_devices(block) || (words->want > 0 && size == 0))
		return;
	base_str_add(words->text, words->blocks > 0 ? "; then " : "");
	if (block->take->arg1 >= 0)
		base_str_addf(words->text, "1 %s on %s", words->one,
			      analyze_item_name(words->map, block->take->arg1));
	else
		add_choices(words, block);
	words->left -= size;
	words->blocks++;
}

void analyze_show_rule(struct base_str *text, const strew_map *map,
		       const struct map_rule *rule, int want)
{
	bool copies = map_kind_copies(rule->kind);
	struct words words = {.text = text,
			      .map = map,
			      .one = copies ? "copy" : "shard",
			      .many = copies ? "copies" : "shards",
			      .want = want,
			      .left = want};
	struct analyze_block block;
	size_t at = 0;

	while (words.blocks < BLOCKS_MAX && (want == 0 || words.left > 0) &&
	       analyze_next_block(&block, rule, &at))
		add_block(&words, &block);
	if (words.blocks == BLOCKS_MAX && analyze_next_block(&block, rule, &at))
		base_str_add(text, "; and so on");
	if (words.blocks == 0)
		base_str_add(text, "no devices: its steps don't lead to any");
}
