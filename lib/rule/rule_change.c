/* SPDX-License-Identifier: MIT */
/* Two maps compared, as far as a rule can see them. */
#include "rule_change_priv.h"

#include <string.h>

#include <strew/builder.h>

/* Does the rule do the same? Items are told by their ids. */
static bool are_same_steps(const struct rule_call *from, const struct rule_call *to)
{
	const struct flat_step *a = flat_steps(from->flat, from->rule);
	const struct flat_step *b = flat_steps(to->flat, to->rule);

	if (from->rule->step_count != to->rule->step_count)
		return false;
	for (uint32_t i = 0; i < from->rule->step_count; i++) {
		bool same = a[i].arg1 == b[i].arg1;

		if (a[i].op == STREW_OP_TAKE)
			same = flat_id_of(from->flat, a[i].arg1) ==
			       flat_id_of(to->flat, b[i].arg1);
		if (a[i].op != b[i].op || !same || a[i].arg2 != b[i].arg2)
			return false;
	}
	return true;
}

static bool are_comparable(const struct rule_call *from, const struct rule_call *to)
{
	return from->want == to->want && from->rule->kind == to->rule->kind &&
	       memcmp(&from->flat->tunables, &to->flat->tunables,
		      sizeof(from->flat->tunables)) == 0 &&
	       rule_is_traceable(to) && are_same_steps(from, to);
}

static void read_rule(struct rule_change *change)
{
	const struct flat *flat = change->from.flat;
	const struct flat_step *step = flat_steps(flat, change->from.rule);

	rule_settings_start(&change->settings, &flat->tunables);
	for (uint32_t i = 0; i < change->from.rule->step_count; i++, step++) {
		switch (step->op) {
		case STREW_OP_TAKE:
			change->root = (uint32_t)(-1 - step->arg1);
			break;
		case STREW_OP_CHOOSE_INDEP:
		case STREW_OP_CHOOSELEAF_INDEP:
		case STREW_OP_CHOOSE_FIRSTN:
		case STREW_OP_CHOOSELEAF_FIRSTN:
			change->indep = step->op == STREW_OP_CHOOSE_INDEP ||
					step->op == STREW_OP_CHOOSELEAF_INDEP;
			change->leaf = step->op == STREW_OP_CHOOSELEAF_FIRSTN ||
				       step->op == STREW_OP_CHOOSELEAF_INDEP;
			change->ranks = rule_count_ranks(step->arg1, change->from.want);
			change->type = step->arg2;
			break;
		default:
			rule_settings_apply(&change->settings, step->op, step->arg1);
		}
	}
}

static bool allocate_marks(struct rule_change *change)
{
	const struct flat *flat = change->from.flat;
	size_t spots = (size_t)flat->device_count + flat->bucket_count;

	change->spot_count = (uint32_t)spots;
	change->marks = base_arena_alloc(&change->arena, spots + 1, 1);
	return change->marks != NULL;
}

static bool allocate(struct rule_change *change)
{
	struct base_arena *arena = &change->arena;
	uint32_t buckets = change->from.flat->bucket_count;
	size_t spots = change->spot_count;

	change->spots = base_arena_alloc(arena, spots + 1, sizeof(*change->spots));
	change->ways = base_arena_alloc(arena, spots + 1, sizeof(*change->ways));
	change->fates = base_arena_alloc(arena, buckets, sizeof(*change->fates));
	change->queue = base_arena_alloc(arena, buckets, sizeof(*change->queue));
	if (!change->spots || !change->ways || !change->fates || !change->queue)
		return false;
	for (size_t i = 0; i <= spots; i++)
		change->ways[i].bucket = RULE_NO_BUCKET;
	change->spots[spots] = (struct rule_spot){.item = SELECT_NEW - 1};
	return true;
}

static bool compare_bucket(struct rule_change *change, uint32_t bucket)
{
	const struct flat *flat = change->from.flat, *new = change->to.flat;
	struct rule_fate *fate = &change->fates[bucket];
	struct select_change found;
	struct select_side from = {.bucket = flat_bucket_at(flat, bucket)}, to = {0};

	fate->extent = SELECT_ANY;
	fate->to = flat_find_bucket(new, from.bucket->id);
	change->any_bucket |= fate->to == NULL;
	if (fate->to == NULL)
		return true;
	to.bucket = fate->to;
	from.args = flat_args_of(flat, change->from.set, bucket);
	to.args = flat_args_of(new, change->to.set, flat_bucket_index(new, fate->to));
	found.items = base_arena_alloc(&change->arena, from.bucket->count,
				       sizeof(*found.items));
	if (found.items == NULL)
		return false;
	fate->extent = select_compare(&from, &to, &found);
	change->any_bucket |= fate->extent != SELECT_SAME;
	if (fate->extent != SELECT_SOME)
		return true;
	fate->change = base_arena_copy(&change->arena, &found, 1, sizeof(found));
	return fate->change != NULL;
}

static bool is_out_otherwise(const struct rule_change *change, uint32_t device)
{
	const struct flat *from = change->from.flat, *to = change->to.flat;
	int32_t index = flat_find_device(to, flat_device_id(from, device));

	return index >= 0 &&
	       flat_device_reweights(from)[device] != flat_device_reweights(to)[index];
}

static void note_device(struct rule_change *change, uint32_t device)
{
	if (!is_out_otherwise(change, device))
		return;
	change->marks[device] |= RULE_OUT;
	change->any_out = true;
}

/* May a bucket that gave an item give another one now? */
static bool may_change(const struct rule_fate *fate, uint32_t index)
{
	if (fate->extent != SELECT_SOME)
		return fate->extent == SELECT_ANY;
	for (uint32_t i = 0; i < fate->change->riser_count; i++) {
		if (fate->change->risers[i].was != index)
			return true;
	}
	return fate->change->items[index].falls;
}

static void note_root_item(struct rule_change *change, uint32_t index, uint32_t spot)
{
	const struct select_change *root = change->fates[change->root].change;

	change->spots[spot] = (struct rule_spot){.item = index};
	change->ways[spot].next = RULE_NO_SPOT;
	if (root == NULL)
		return;
	change->spots[spot].id = root->items[index].id;
	change->spots[spot].scale = root->items[index].scale;
	if (root->items[index].falls && change->margin >= SELECT_NO_MARGIN)
		change->marks[spot] = RULE_FALLS;
}

/* What holds for the bucket that holds an item, and that bucket itself. */
static void note_item(struct rule_change *change, uint32_t bucket, uint32_t index,
		      uint32_t spot)
{
	uint32_t above = rule_bucket_spot(change, bucket);

	if (bucket == change->root) {
		note_root_item(change, index, spot);
		return;
	}
	change->spots[spot] = change->spots[above];
	change->marks[spot] = change->marks[above];
	change->ways[spot].next = change->ways[above].next;
	if (!may_change(&change->fates[bucket], index))
		return;
	change->marks[spot] |= RULE_DEEPER;
	change->ways[spot].next = spot;
}

/* @return false: the item hangs elsewhere, too. */
static bool look_at_item(struct rule_change *change, uint32_t bucket, uint32_t index)
{
	const struct flat *flat = change->from.flat;
	int32_t ref = flat_refs(flat_bucket_at(flat, bucket))[index];
	uint32_t spot = rule_spot_of(flat, ref);
	bool node = ref < 0 && flat_bucket_of(flat, ref)->type == change->type;
	struct rule_way *way = &change->ways[spot];

	if (way->bucket != RULE_NO_BUCKET ||
	    spot == rule_bucket_spot(change, change->root))
		return false;
	way->bucket = bucket;
	way->item = index;
	way->below = node || change->ways[rule_bucket_spot(change, bucket)].below;
	note_item(change, bucket, index, spot);
	if (ref >= 0)
		note_device(change, (uint32_t)ref);
	else if (change->leaf || !node)
		change->queue[change->queued++] = (uint32_t)(-1 - ref);
	return true;
}

/* @return false: nothing can be told. */
static bool look_into(struct rule_change *change, uint32_t bucket)
{
	const struct flat_bucket *from = flat_bucket_at(change->from.flat, bucket);
	const struct rule_fate *fate = &change->fates[bucket];

	if (fate->to && fate->to->type != from->type)
		return false;
	if (bucket == change->root && fate->extent == SELECT_ANY)
		return false;
	for (uint32_t i = 0; i < from->count; i++)
		if (!look_at_item(change, bucket, i))
			return false;
	return true;
}

static bool have_same_spots(const struct flat *from, const struct flat *to)
{
	if (from->device_count != to->device_count ||
	    from->bucket_count != to->bucket_count)
		return false;
	for (uint32_t i = 0; i < from->device_count; i++)
		if (flat_device_id(from, i) != flat_device_id(to, i))
			return false;
	for (uint32_t i = 0; i < from->bucket_count; i++)
		if (flat_bucket_at(from, i)->id != flat_bucket_at(to, i)->id)
			return false;
	return true;
}

static uint32_t moved_bucket(const struct rule_change *change, uint32_t bucket)
{
	const struct flat *from = change->from.flat, *to = change->to.flat;
	const struct flat_bucket *found =
		flat_find_bucket(to, flat_bucket_at(from, bucket)->id);

	if (found == NULL)
		return RULE_TRACE_NOWHERE;
	return to->device_count + flat_bucket_index(to, found);
}

static bool move_spots(struct rule_change *change)
{
	const struct flat *from = change->from.flat, *to = change->to.flat;

	if (have_same_spots(from, to))
		return true;
	change->moved =
		base_arena_alloc(&change->arena, change->spot_count, sizeof(uint32_t));
	if (change->moved == NULL)
		return false;
	for (uint32_t i = 0; i < from->device_count; i++) {
		int32_t index = flat_find_device(to, flat_device_id(from, i));

		change->moved[i] = index < 0 ? RULE_TRACE_NOWHERE : (uint32_t)index;
	}
	for (uint32_t i = 0; i < from->bucket_count; i++)
		change->moved[from->device_count + i] = moved_bucket(change, i);
	return true;
}

static bool compare_root(struct rule_change *change, struct rule_trace *trace)
{
	if (!compare_bucket(change, change->root))
		return false;
	change->other_root = change->fates[change->root].extent != SELECT_SAME;
	return !change->other_root ||
	       rule_change_need_margin(change, trace, &change->arena.allocator);
}

/* From the root on, level by level. `told` becomes false when nothing can be told. */
static bool compare_tree(struct rule_change *change, struct rule_trace *trace, bool *told)
{
	if (!allocate(change) || !compare_root(change, trace))
		return false;
	change->queue[change->queued++] = change->root;
	*told = look_into(change, change->root);
	for (uint32_t i = 1; i < change->queued && *told; i++) {
		if (!compare_bucket(change, change->queue[i]))
			return false;
		*told = look_into(change, change->queue[i]);
	}
	return move_spots(change);
}

/* Is all the same but for reweights, byte by byte? */
static bool are_alike(const struct rule_call *from, const struct rule_call *to)
{
	const char *a = (const char *)from->flat, *b = (const char *)to->flat;
	size_t size = (size_t)from->flat->size, start = from->flat->device_reweights;
	size_t end = start + from->flat->device_count * sizeof(uint32_t);
	struct flat head = *from->flat;
	bool same_set = from->set && to->set
				? (const char *)from->set - a == (const char *)to->set - b
				: from->set == to->set;

	head.any_out = to->flat->any_out;
	return same_set && memcmp(&head, b, sizeof(head)) == 0 &&
	       memcmp(a + sizeof(head), b + sizeof(head), start - sizeof(head)) == 0 &&
	       memcmp(a + end, b + end, size - end) == 0;
}

static void note_devices(struct rule_change *change)
{
	const uint32_t *from = flat_device_reweights(change->from.flat);
	const uint32_t *to = flat_device_reweights(change->to.flat);
	bool any = false;

	for (uint32_t i = 0; i < change->from.flat->device_count; i++) {
		bool other = from[i] != to[i];

		change->marks[i] = other ? RULE_OUT : 0;
		any |= other;
	}
	change->any_out = any;
}

static bool compare(struct rule_change *change, struct rule_trace *trace, bool *told)
{
	if (!allocate_marks(change))
		return false;
	*told = are_alike(&change->from, &change->to);
	if (!*told)
		return compare_tree(change, trace, told);
	note_devices(change);
	return true;
}

/* Spots from `start` to before `end`. Nowhere is in none. */
static struct rule_span find_span(const struct rule_change *change, uint32_t start,
				  uint32_t end)
{
	while (start < end && change->marks[start] == 0)
		start++;
	while (start < end && change->marks[end - 1] == 0)
		end--;
	if (start == end)
		return (struct rule_span){.first = RULE_TRACE_NOWHERE - 1};
	return (struct rule_span){.first = start, .length = end - 1 - start};
}

static void find_spots(struct rule_change *change)
{
	uint32_t devices = change->from.flat->device_count;

	for (uint32_t i = 0; i < change->spot_count; i++)
		if (change->marks[i])
			rule_sketch_add(&change->sketch, i);
	change->devices = find_span(change, 0, devices);
	change->buckets = find_span(change, devices, change->spot_count);
}

strew_status rule_change_new(struct rule_change **out, const struct rule_call *from,
			     const struct rule_call *to, struct rule_trace *trace,
			     const strew_allocator *allocator)
{
	struct rule_change *change;
	struct base_arena arena;
	bool fine, told = false;

	*out = NULL;
	if (!are_comparable(from, to))
		return STREW_OK;
	base_arena_init(&arena, allocator);
	change = base_arena_alloc(&arena, 1, sizeof(*change));
	if (change == NULL) {
		base_arena_free(&arena);
		return STREW_ENOMEM;
	}
	change->arena = arena;
	change->from = *from;
	change->to = *to;
	read_rule(change);
	fine = compare(change, trace, &told);
	if (fine && told) {
		find_spots(change);
		change->measures = !trace->measured;
		*out = change;
		return STREW_OK;
	}
	rule_change_free(change);
	return fine ? STREW_OK : STREW_ENOMEM;
}

void rule_change_free(struct rule_change *change)
{
	struct base_arena arena;

	if (change == NULL)
		return;
	/* The change itself lies in its arena. */
	arena = change->arena;
	base_arena_free(&arena);
}

bool rule_change_is_none(const struct rule_change *change)
{
	return !change->any_bucket && !change->any_out;
}

bool rule_change_moves(const struct rule_change *change)
{
	return change->moved != NULL;
}

static void move_spot(const struct rule_change *change, uint32_t *spot)
{
	if (*spot < change->spot_count)
		*spot = change->moved[*spot];
}

void rule_change_move(const struct rule_change *change, const struct rule_trace *trace,
		      size_t first, uint32_t count)
{
	size_t want = (size_t)trace->want, room = RULE_TRACE_EXTRAS(want);

	if (change->moved == NULL)
		return;
	for (size_t r = 0; r < want; r++)
		for (uint32_t i = 0; i < count; i++)
			move_spot(change, &trace->spots[r * trace->inputs + first + i]);
	for (size_t i = first; i < first + count; i++)
		for (size_t k = 0; trace->used[i] && k < room; k++)
			move_spot(change, &trace->extras[k * trace->inputs + i]);
	for (size_t i = first; i < first + count; i += RULE_TRACE_STRETCH)
		rule_trace_sketch(trace, i);
}
