/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "edit_priv.h"

static struct map_weight_set *find_set(const strew_edit *edit, int64_t id)
{
	for (size_t i = 0; i < edit->map.weight_set_count; i++)
		if (edit->map.weight_sets[i].id == id)
			return &edit->map.weight_sets[i];
	return NULL;
}

static strew_status refuse_set(struct edit_call *call, const struct edit_arg *arg)
{
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "there is no weight set %.64s; add it first", arg->text);
}

static void fill(strew_edit *edit, struct map_weight_set *set, const strew_bucket *bucket,
		 size_t positions)
{
	struct map_weights *part;
	uint32_t *rows;

	if (strcmp(bucket->alg, "straw2") != 0)
		return;
	part = edit_add_part(edit, set, bucket, positions);
	if (part == NULL)
		return;
	rows = (uint32_t *)part->rows;
	for (size_t i = 0; i < positions; i++)
		for (size_t j = 0; j < bucket->item_count; j++)
			*rows++ = bucket->items[j].weight;
}

static struct map_weight_set *insert_set(strew_edit *edit, int64_t id)
{
	struct map_weight_set *set;
	char name[32];
	size_t at = 0;

	while (at < edit->map.weight_set_count && edit->map.weight_sets[at].id < id)
		at++;
	set = edit_insert(edit, &edit->sets, sizeof(*set), at);
	if (set == NULL)
		return NULL;
	snprintf(name, sizeof(name), "%lld", (long long)id);
	set->id = id;
	set->name = edit_keep(edit, name);
	return set;
}

static strew_status add_set(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *arg = &call->args[0], *positions = &call->args[1];
	size_t count = positions->text ? (size_t)positions->number : 1;
	struct map_weight_set *set;

	if (find_set(edit, arg->number))
		return edit_refuse(call, STREW_EMAP, arg,
				   "there is a weight set %.64s already", arg->text);
	if (count < 1 || count > 255 || (arg->number == -1 && count != 1))
		return edit_refuse(call, STREW_ERANGE, positions,
				   "a weight set has from 1 to 255 positions, the compat "
				   "set 1");
	set = insert_set(edit, arg->number);
	for (size_t i = 0; set && i < edit->map.bucket_count && !edit->failed; i++)
		fill(edit, set, &edit->map.buckets[i], count);
	return STREW_OK;
}

static strew_status remove_set(strew_edit *edit, struct edit_call *call)
{
	struct map_weight_set *set = find_set(edit, call->args[0].number);

	if (set == NULL)
		return refuse_set(call, &call->args[0]);
	edit_forget(edit, MAP_OF_WEIGHT_SET, set->id);
	edit_forget(edit, MAP_OF_WEIGHTS, set->id);
	edit_erase(edit, &edit->sets, sizeof(*set),
		   (size_t)(set - edit->map.weight_sets));
	return STREW_OK;
}

static strew_status parse_weights(struct edit_call *call, const struct edit_arg *arg,
				  uint32_t *weights)
{
	for (size_t i = 0; i < arg->word_count; i++) {
		struct edit_arg word = {.text = arg->words[i].text,
					.column = arg->words[i].column};

		if (!edit_parse_weight(&weights[i], word.text))
			return edit_refuse(call, STREW_ERANGE, &word,
					   "\"%.64s\" is no weight", word.text);
	}
	return STREW_OK;
}

/* The bucket that holds the item and has a part in the set, after the one before. */
static strew_bucket *next_holder(strew_edit *edit, const struct map_weight_set *set,
				 int32_t item, size_t *at)
{
	while (*at < edit->map.bucket_count) {
		strew_bucket *bucket = &edit->map.buckets[(*at)++];

		if (bucket->shadow_of == 0 && map_weights_of(set, bucket->id) &&
		    edit_item_index(bucket, item) != EDIT_NOWHERE)
			return bucket;
	}
	return NULL;
}

static strew_status check_rows(strew_edit *edit, struct edit_call *call,
			       const struct map_weight_set *set, size_t count)
{
	const struct edit_arg *item = &call->args[1];
	size_t at = 0, found = 0;
	const strew_bucket *bucket;

	while ((bucket = next_holder(edit, set, item->id, &at))) {
		size_t positions = map_weights_of(set, bucket->id)->positions;

		found++;
		if (count != 1 && count != positions)
			return edit_refuse(call, STREW_EMAP, &call->args[2],
					   "%zu weights are given; the set has %zu "
					   "position%s for %s: give 1 or as many",
					   count, positions, positions == 1 ? "" : "s",
					   bucket->name);
	}
	if (found > 0)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, item, "%s has no weights in the weight set",
			   edit_label(edit, call, item->id));
}

static strew_status set_weights(strew_edit *edit, struct edit_call *call)
{
	struct map_weight_set *set = find_set(edit, call->args[0].number);
	const struct edit_arg *item = &call->args[1], *given = &call->args[2];
	uint32_t weights[EDIT_WORDS_MAX];
	strew_bucket *bucket;
	strew_status status;
	size_t at = 0;

	if (set == NULL)
		return refuse_set(call, &call->args[0]);
	status = parse_weights(call, given, weights);
	if (status == STREW_OK)
		status = check_rows(edit, call, set, given->word_count);
	if (status != STREW_OK)
		return status;
	while ((bucket = next_holder(edit, set, item->id, &at))) {
		const struct map_weights *part = map_weights_of(set, bucket->id);
		uint32_t *weight =
			(uint32_t *)part->rows + edit_item_index(bucket, item->id);

		for (size_t i = 0; i < part->positions; i++)
			weight[i * bucket->item_count] =
				weights[given->word_count == 1 ? 0 : i];
		edit_follow(edit, bucket->id);
	}
	edit->reshaped = true;
	return STREW_OK;
}

const struct edit_op edit_set_ops[] = {
	{"add weight-set SET [positions N]",
	 "weights of their own for \"compat\" or a pool; they start as the CRUSH weights",
	 add_set},
	{"remove weight-set SET", "have the CRUSH weights decide again", remove_set},
	{"set weight-set SET ITEM WEIGHTS",
	 "an item's weight in a weight set, one or one a position; those above follow",
	 set_weights},
	{NULL, NULL, NULL},
};
