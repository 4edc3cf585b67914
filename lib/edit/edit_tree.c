/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "edit_priv.h"
#include "select.h"

static strew_status check_cycle(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *item, const struct edit_arg *to)
{
	strew_status status = STREW_OK;
	struct edit_below below;

	if (item->id >= 0)
		return STREW_OK;
	edit_list_below(edit, &below, item->id);
	if (!edit->failed && below.seen[map_bucket_index(&edit->map, to->id)])
		status = edit_refuse(
			call, STREW_EMAP, to,
			to->id == item->id ? "%s can't hang in itself"
					   : "%s is below %s, which would hang in itself",
			edit_label(edit, call, to->id), edit_label(edit, call, item->id));
	edit_free_below(edit, &below);
	return status;
}

strew_status edit_check_uniform(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *to, uint32_t weight)
{
	const strew_bucket *bucket = edit_bucket(edit, to->id);

	if (strcmp(bucket->alg, "uniform") != 0 || bucket->item_count == 0 ||
	    bucket->items[0].weight == weight)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, to,
			   "%s is uniform, and its items weigh %.5g; what is added must "
			   "weigh the same, and weighs %.5g",
			   edit_label(edit, call, to->id),
			   bucket->items[0].weight / (double)STREW_WEIGHT_ONE,
			   weight / (double)STREW_WEIGHT_ONE);
}

/* What an item weighs where it is to hang: a bucket what it holds, a device what it
 * weighs in the first bucket that has it. */
static uint32_t weight_of(const strew_edit *edit, int32_t id)
{
	const strew_bucket *itself = edit_bucket(edit, id);

	for (size_t i = 0; itself == NULL && i < edit->map.bucket_count; i++) {
		const strew_bucket *bucket = &edit->map.buckets[i];
		size_t index = edit_item_index(bucket, id);

		if (bucket->shadow_of == 0 && index != EDIT_NOWHERE)
			return bucket->items[index].weight;
	}
	return itself ? itself->weight : STREW_WEIGHT_ONE;
}

static void hang(strew_edit *edit, int32_t bucket, int32_t item, uint32_t weight)
{
	strew_bucket *holder = edit_bucket(edit, bucket);
	const strew_bucket *child = edit_bucket(edit, item);

	edit_hang(edit, holder, item, weight);
	if (child && !edit->failed)
		edit_sum_column(edit, holder, holder->item_count - 1, child);
	edit_follow(edit, bucket);
}

static void unhang_all(strew_edit *edit, int32_t item)
{
	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		strew_bucket *bucket = &edit->map.buckets[i];
		size_t index;

		while (bucket->shadow_of == 0 &&
		       (index = edit_item_index(bucket, item)) != EDIT_NOWHERE) {
			edit_unhang(edit, bucket, index);
			edit_follow(edit, bucket->id);
		}
	}
}

static strew_status check_alg(struct edit_call *call, const struct edit_arg *arg)
{
	if (select_find(arg->text))
		return STREW_OK;
	return edit_refuse(call, STREW_ENOTFOUND, arg, "there is no selector \"%.64s\"%s",
			   arg->text, edit_hint(call, arg->text, select_names()));
}

static strew_status check_new_id(strew_edit *edit, struct edit_call *call,
				 const struct edit_arg *arg, int32_t *id)
{
	int64_t number;

	*id = edit_free_id(edit);
	if (arg->text == NULL)
		return STREW_OK;
	if (arg->text[0] != '-' ||
	    !edit_parse_number(&number, arg->text + 1, -(int64_t)STREW_BUCKET_ID_MIN) ||
	    number == 0)
		return edit_refuse(call, STREW_ERANGE, arg,
				   "a bucket's id is from -1 down to %d",
				   STREW_BUCKET_ID_MIN);
	*id = (int32_t)-number;
	if (edit_bucket(edit, *id) == NULL)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, arg, "the id %d is taken, by %s", (int)*id,
			   edit_bucket(edit, *id)->name);
}

/* The best one that the map's allowed_bucket_algs, bits by Ceph's numbers, has. */
static const char *default_alg(const strew_edit *edit)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} algs[] = {{1u << 5, "straw2"},
		    {1u << 4, "straw"},
		    {1u << 3, "tree"},
		    {1u << 2, "list"},
		    {1u << 1, "uniform"}};

	for (size_t i = 0; i < sizeof(algs) / sizeof(algs[0]); i++)
		if (edit->map.tunables.allowed_bucket_algs & algs[i].bit)
			return algs[i].name;
	return "straw2";
}

static strew_status add_bucket(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *what = &call->args[0], *to = &call->args[1];
	const struct edit_arg *id = &call->args[2], *alg = &call->args[3];
	strew_bucket bucket = {.type = what->type, .alg = default_alg(edit)};
	strew_status status = check_new_id(edit, call, id, &bucket.id);

	if (status == STREW_OK && alg->text)
		status = check_alg(call, alg);
	if (status == STREW_OK && to->text)
		status = edit_check_uniform(edit, call, to, 0);
	if (status != STREW_OK)
		return status;
	bucket.name = edit_keep(edit, what->name);
	if (alg->text)
		bucket.alg = select_find(alg->text)->name;
	if (edit_add_bucket(edit, &bucket) && to->text)
		hang(edit, to->id, bucket.id, 0);
	return STREW_OK;
}

static strew_status move(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0], *to = &call->args[1];
	uint32_t weight = weight_of(edit, item->id);
	strew_status status = check_cycle(edit, call, item, to);

	if (edit_count_holders(edit, item->id) == 1 &&
	    edit_item_index(edit_bucket(edit, to->id), item->id) != EDIT_NOWHERE)
		return status;
	if (status == STREW_OK)
		status = edit_check_uniform(edit, call, to, weight);
	if (status != STREW_OK)
		return status;
	unhang_all(edit, item->id);
	hang(edit, to->id, item->id, weight);
	return STREW_OK;
}

static strew_status link_item(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0], *to = &call->args[1];
	uint32_t weight = weight_of(edit, item->id);
	strew_status status = check_cycle(edit, call, item, to);

	if (status == STREW_OK &&
	    edit_item_index(edit_bucket(edit, to->id), item->id) != EDIT_NOWHERE)
		return edit_refuse(call, STREW_EMAP, to, "%s hangs in %s already",
				   edit_label(edit, call, item->id),
				   edit_label(edit, call, to->id));
	if (status == STREW_OK)
		status = edit_check_uniform(edit, call, to, weight);
	if (status == STREW_OK)
		hang(edit, to->id, item->id, weight);
	return status;
}

static strew_status unlink_item(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0], *from = &call->args[1];
	strew_bucket *bucket = edit_bucket(edit, from->id);
	size_t index = edit_item_index(bucket, item->id);

	if (index == EDIT_NOWHERE)
		return edit_refuse(call, STREW_EMAP, from, "%s does not hang in %s",
				   edit_label(edit, call, item->id),
				   edit_label(edit, call, from->id));
	edit_unhang(edit, bucket, index);
	edit_follow(edit, from->id);
	return STREW_OK;
}

/* The rule that takes a bucket, or one of its shadows, or a device. */
static const struct map_rule *find_taker(const strew_edit *edit, int32_t id)
{
	const strew_map *map = &edit->map;

	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		for (size_t j = 0; j < rule->step_count; j++) {
			int32_t taken = rule->steps[j].arg1;
			const strew_bucket *bucket = edit_bucket(edit, taken);

			if (rule->steps[j].op == STREW_OP_TAKE &&
			    (taken == id ||
			     (id < 0 && bucket && bucket->shadow_of == id)))
				return rule;
		}
	}
	return NULL;
}

static strew_status check_taken(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *arg, int32_t id)
{
	const struct map_rule *rule = find_taker(edit, id);

	if (rule == NULL)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, arg,
			   "%s is what the rule \"%.96s\" takes; remove the rule first",
			   edit_label(edit, call, id), rule->name);
}

static void drop(strew_edit *edit, int32_t id)
{
	if (id < 0)
		edit_drop_bucket(edit, id);
	else
		edit_drop_device(edit, id);
}

/* Take out a bucket and what hangs nowhere else, from the top. */
static void drop_below(strew_edit *edit, int32_t id)
{
	struct base_vec stack = {0};
	int32_t *added = base_vec_push(&stack, &edit->allocator, sizeof(*added));

	if (added)
		*added = id;
	while (added && stack.count > 0) {
		int32_t next = ((const int32_t *)stack.items)[--stack.count];
		strew_bucket *bucket = edit_bucket(edit, next);

		while (added && bucket && bucket->item_count > 0) {
			size_t last = bucket->item_count - 1;
			int32_t item = bucket->items[last].id;

			edit_unhang(edit, bucket, last);
			if (edit_count_holders(edit, item) > 0)
				continue;
			added = base_vec_push(&stack, &edit->allocator, sizeof(*added));
			if (added)
				*added = item;
		}
		drop(edit, next);
	}
	edit->failed = edit->failed || added == NULL;
	base_vec_free(&stack, &edit->allocator);
}

static strew_status check_below(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *item)
{
	strew_status status = STREW_OK;
	struct edit_below below;

	edit_list_below(edit, &below, item->id);
	for (size_t i = 0; i < below.indexes.count && status == STREW_OK; i++) {
		const uint32_t *indexes = below.indexes.items;

		status = check_taken(edit, call, item, edit->map.buckets[indexes[i]].id);
	}
	edit_free_below(edit, &below);
	return status;
}

static strew_status remove_with_contents(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0];
	strew_status status = STREW_OK;

	if (item->id < 0)
		status = check_below(edit, call, item);
	else
		status = check_taken(edit, call, item, item->id);
	if (status != STREW_OK)
		return status;
	unhang_all(edit, item->id);
	drop_below(edit, item->id);
	return STREW_OK;
}

static strew_status remove_item(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0];
	const strew_bucket *bucket = edit_bucket(edit, item->id);
	strew_status status = check_taken(edit, call, item, item->id);

	if (status != STREW_OK)
		return status;
	if (bucket && bucket->item_count > 0)
		return edit_refuse(call, STREW_EMAP, item,
				   "%s holds %zu item%s; move or remove them first, or "
				   "\"remove %.96s with contents\"",
				   edit_label(edit, call, item->id), bucket->item_count,
				   bucket->item_count == 1 ? "" : "s", item->text);
	unhang_all(edit, item->id);
	drop(edit, item->id);
	return STREW_OK;
}

static strew_status rename_item(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0], *name = &call->args[1];
	strew_bucket *bucket = edit_bucket(edit, item->id);
	strew_status status = edit_check_free(edit, call, name, name->text);

	if (status != STREW_OK)
		return status;
	if (bucket)
		bucket->name = edit_keep(edit, name->text);
	else
		edit->map.devices[map_device_index(&edit->map, item->id)].name =
			edit_keep(edit, name->text);
	edit->reshaped = true;
	return STREW_OK;
}

static void swap_parts(strew_edit *edit, int32_t a, int32_t b)
{
	for (size_t i = 0; i < edit->map.weight_set_count; i++) {
		struct map_weight_set *set = &edit->map.weight_sets[i];
		struct map_weights *one = map_weights_of(set, a),
				   *other = map_weights_of(set, b);
		struct map_weights kept;

		if (one == NULL || other == NULL) {
			edit_drop_part(edit, set, a);
			edit_drop_part(edit, set, b);
			continue;
		}
		kept = *one;
		*one = *other;
		*other = kept;
		one->bucket = a;
		other->bucket = b;
	}
}

static void swap_id(int64_t *id, int32_t a, int32_t b)
{
	if (*id == a)
		*id = b;
	else if (*id == b)
		*id = a;
}

/* What people noted goes along. */
static void swap_remarks(strew_edit *edit, int32_t a, int32_t b)
{
	for (size_t i = 0; i < edit->map.remark_count; i++) {
		struct map_remark *remark = &edit->map.remarks[i];

		if (remark->owner == MAP_OF_BUCKET || remark->owner == MAP_OF_LINK)
			swap_id(&remark->id, a, b);
		else if (remark->owner == MAP_OF_WEIGHTS)
			swap_id(&remark->other, a, b);
	}
	if (edit->map.remark_count > 1)
		qsort(edit->map.remarks, edit->map.remark_count,
		      sizeof(*edit->map.remarks), map_compare_remarks);
}

/* The two stay where they are, with their ids; all else changes places. */
static strew_status swap(strew_edit *edit, struct edit_call *call)
{
	strew_bucket *a = edit_bucket(edit, call->args[0].id);
	strew_bucket *b = edit_bucket(edit, call->args[1].id);
	strew_bucket kept = *a;
	strew_status status = check_cycle(edit, call, &call->args[0], &call->args[1]);

	if (status == STREW_OK)
		status = check_cycle(edit, call, &call->args[1], &call->args[0]);
	if (status != STREW_OK)
		return status;
	if (a->type != b->type)
		return edit_refuse(call, STREW_EMAP, &call->args[1],
				   "%s and %s are of different types",
				   edit_label(edit, call, a->id),
				   edit_label(edit, call, b->id));
	*a = *b;
	a->id = kept.id;
	kept.id = b->id;
	*b = kept;
	swap_parts(edit, a->id, b->id);
	swap_remarks(edit, a->id, b->id);
	edit->reshaped = true;
	edit_follow(edit, a->id);
	edit_follow(edit, b->id);
	return STREW_OK;
}

static strew_status check_uniform(strew_edit *edit, struct edit_call *call,
				  const struct edit_arg *alg, const strew_bucket *bucket)
{
	for (size_t i = 1; i < bucket->item_count; i++)
		if (strcmp(alg->text, "uniform") == 0 &&
		    bucket->items[i].weight != bucket->items[0].weight)
			return edit_refuse(call, STREW_EMAP, alg,
					   "the items of %s weigh differently, which "
					   "uniform can't have",
					   edit_label(edit, call, bucket->id));
	return STREW_OK;
}

static void set_alg(strew_edit *edit, strew_bucket *bucket, const char *alg)
{
	if (strcmp(bucket->alg, alg) == 0)
		return;
	bucket->alg = alg;
	edit_touch(edit, bucket);
	for (size_t i = 0; i < edit->map.weight_set_count; i++)
		edit_drop_part(edit, &edit->map.weight_sets[i], bucket->id);
	if (strcmp(alg, "straw2") == 0)
		edit_add_parts(edit, bucket);
}

static strew_status set_one_alg(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *alg = &call->args[1];
	strew_bucket *bucket = edit_bucket(edit, call->args[0].id);
	strew_status status = check_alg(call, alg);

	if (status == STREW_OK)
		status = check_uniform(edit, call, alg, bucket);
	if (status == STREW_OK)
		set_alg(edit, bucket, select_find(alg->text)->name);
	return status;
}

static strew_status set_all_algs(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *alg = &call->args[0];
	strew_status status = check_alg(call, alg);

	for (size_t i = 0; i < edit->map.bucket_count && status == STREW_OK; i++)
		if (edit->map.buckets[i].shadow_of == 0)
			status = check_uniform(edit, call, alg, &edit->map.buckets[i]);
	for (size_t i = 0; i < edit->map.bucket_count && status == STREW_OK; i++)
		if (edit->map.buckets[i].shadow_of == 0)
			set_alg(edit, &edit->map.buckets[i],
				select_find(alg->text)->name);
	return status;
}

const struct edit_op edit_tree_ops[] = {
	{"add TYPE:NAME [to BUCKET] [id ID] [alg ALG]",
	 "an empty bucket, by default a root; its id is the highest that is free, its "
	 "selector the best that allowed_bucket_algs has",
	 add_bucket},
	{"move ITEM to BUCKET", "hang a device, or a bucket with all below it, elsewhere",
	 move},
	{"swap BUCKET with BUCKET",
	 "exchange two buckets' names and what they hold; their ids stay in place", swap},
	{"link ITEM to BUCKET", "hang an item in one more bucket", link_item},
	{"unlink ITEM from BUCKET", "take an item out of one bucket", unlink_item},
	{"remove ITEM", "take out a device, or an empty bucket", remove_item},
	{"remove ITEM with contents",
	 "take out a bucket and what is below it and hangs nowhere else",
	 remove_with_contents},
	{"rename ITEM NAME", "give a device or a bucket another name", rename_item},
	{"set BUCKET alg ALG", "have a bucket choose by another selector", set_one_alg},
	{"set all alg ALG", "the same for every bucket", set_all_algs},
	{NULL, NULL, NULL},
};
