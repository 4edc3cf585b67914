/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

#define TIDY_MIN (1u << 20)

void *edit_alloc(strew_edit *edit, size_t count, size_t size)
{
	void *room = NULL;

	if (!edit->failed)
		room = base_arena_alloc(&edit->arena, count, size);
	if (room)
		edit->spent += count * size;
	else
		edit->failed = true;
	return room;
}

size_t edit_room(size_t count)
{
	size_t room = 1;

	while (room < count)
		room *= 2;
	return room;
}

void *edit_grow(strew_edit *edit, void *array, size_t count, size_t wanted, size_t size)
{
	void *grown;

	if (array && edit_room(wanted) <= edit_room(count))
		return edit->failed ? NULL : array;
	grown = edit_alloc(edit, edit_room(wanted), size);
	if (grown && count > 0)
		memcpy(grown, array, count * size);
	return grown;
}

const char *edit_keep(strew_edit *edit, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = edit_alloc(edit, size, 1);

	return copy ? memcpy(copy, text, size) : NULL;
}

/* The working copy's arrays are where the vectors are. */
static void sync_arrays(strew_edit *edit)
{
	strew_map *map = &edit->map;

	map->classes = edit->classes.items;
	map->class_count = edit->classes.count;
	map->devices = edit->devices.items;
	map->device_count = edit->devices.count;
	map->buckets = edit->buckets.items;
	map->bucket_count = edit->buckets.count;
	map->rules = edit->rules.items;
	map->rule_count = edit->rules.count;
	map->weight_sets = edit->sets.items;
	map->weight_set_count = edit->sets.count;
	map->pools = edit->pools.items;
	map->pool_count = edit->pools.count;
	map->overrides = edit->overrides.items;
	map->override_count = edit->overrides.count;
	map->remarks = edit->remarks.items;
	map->remark_count = edit->remarks.count;
}

void *edit_insert(strew_edit *edit, struct base_vec *vec, size_t size, size_t at)
{
	char *room = NULL;

	if (!edit->failed && base_vec_push(vec, &edit->allocator, size)) {
		room = (char *)vec->items + at * size;
		memmove(room + size, room, (vec->count - 1 - at) * size);
		memset(room, 0, size);
	}
	if (room == NULL)
		edit->failed = true;
	sync_arrays(edit);
	return room;
}

void edit_erase(strew_edit *edit, struct base_vec *vec, size_t size, size_t at)
{
	char *gone = (char *)vec->items + at * size;

	vec->count--;
	memmove(gone, gone + size, (vec->count - at) * size);
	sync_arrays(edit);
}

void edit_forget(strew_edit *edit, enum map_owner owner, int64_t id)
{
	for (size_t i = edit->map.remark_count; i-- > 0;)
		if (edit->map.remarks[i].owner == owner && edit->map.remarks[i].id == id)
			edit_erase(edit, &edit->remarks, sizeof(struct map_remark), i);
}

const char *edit_class(strew_edit *edit, const char *name)
{
	struct map_class *added;

	for (size_t i = 0; i < edit->map.class_count; i++)
		if (strcmp(edit->map.classes[i].name, name) == 0)
			return edit->map.classes[i].name;
	added = edit_insert(edit, &edit->classes, sizeof(*added), edit->map.class_count);
	if (added == NULL)
		return NULL;
	added->id = edit->map.class_count > 1 ? added[-1].id + 1 : 0;
	added->name = edit_keep(edit, name);
	return added->name;
}

/* As in a map, an array without elements is no NULL. */
static void copy_array(strew_edit *edit, struct base_vec *to, const void *from,
		       size_t count, size_t size)
{
	void *room = NULL;

	if (!edit->failed)
		room = base_vec_extend(to, &edit->allocator, size, count + 1);
	if (room == NULL) {
		edit->failed = true;
		return;
	}
	to->count = count;
	if (count > 0)
		memcpy(room, from, count * size);
}

/* A copy in the arena; NULL when there is nothing to copy. */
static void *own(strew_edit *edit, const void *from, size_t count, size_t size)
{
	void *copy = NULL;

	if (from && count > 0)
		copy = edit_alloc(edit, edit_room(count), size);
	return copy ? memcpy(copy, from, count * size) : NULL;
}

static void own_items(strew_edit *edit)
{
	for (size_t i = 0; i < edit->map.bucket_count && !edit->failed; i++) {
		strew_bucket *bucket = &edit->map.buckets[i];
		size_t count = bucket->item_count;

		bucket->items = own(edit, bucket->items, count, sizeof(*bucket->items));
		edit->shades = edit->shades || bucket->shadow_of != 0;
	}
}

static void own_part(strew_edit *edit, struct map_weights *part)
{
	size_t count = edit_bucket(edit, part->bucket)->item_count;
	size_t words = part->positions * count;

	part->rows = own(edit, part->rows, words, sizeof(*part->rows));
	part->ids = own(edit, part->ids, count, sizeof(*part->ids));
}

static void own_sets(strew_edit *edit)
{
	for (size_t i = 0; i < edit->map.weight_set_count && !edit->failed; i++) {
		struct map_weight_set *set = &edit->map.weight_sets[i];

		set->buckets =
			own(edit, set->buckets, set->bucket_count, sizeof(*set->buckets));
		for (size_t j = 0; j < set->bucket_count && !edit->failed; j++)
			own_part(edit, &set->buckets[j]);
	}
}

static void copy_map(strew_edit *edit, const strew_map *map)
{
	copy_array(edit, &edit->classes, map->classes, map->class_count,
		   sizeof(*map->classes));
	copy_array(edit, &edit->devices, map->devices, map->device_count,
		   sizeof(*map->devices));
	copy_array(edit, &edit->buckets, map->buckets, map->bucket_count,
		   sizeof(*map->buckets));
	copy_array(edit, &edit->rules, map->rules, map->rule_count, sizeof(*map->rules));
	copy_array(edit, &edit->sets, map->weight_sets, map->weight_set_count,
		   sizeof(*map->weight_sets));
	copy_array(edit, &edit->pools, map->pools, map->pool_count, sizeof(*map->pools));
	copy_array(edit, &edit->overrides, map->overrides, map->override_count,
		   sizeof(*map->overrides));
	copy_array(edit, &edit->remarks, map->remarks, map->remark_count,
		   sizeof(*map->remarks));
	sync_arrays(edit);
	if (edit->failed)
		return;
	own_items(edit);
	own_sets(edit);
	edit->start = edit->spent;
}

static bool start(strew_edit *edit, const strew_map *map)
{
	memset(edit, 0, sizeof(*edit));
	edit->allocator = map->arena.allocator;
	base_arena_init(&edit->arena, &edit->allocator);
	edit->source = strew_map_retain(map);
	edit->map = *map;
	base_ref_init(&edit->map.refs);
	copy_map(edit, map);
	return !edit->failed;
}

static void end(strew_edit *edit)
{
	base_vec_free(&edit->classes, &edit->allocator);
	base_vec_free(&edit->devices, &edit->allocator);
	base_vec_free(&edit->buckets, &edit->allocator);
	base_vec_free(&edit->rules, &edit->allocator);
	base_vec_free(&edit->sets, &edit->allocator);
	base_vec_free(&edit->pools, &edit->allocator);
	base_vec_free(&edit->overrides, &edit->allocator);
	base_vec_free(&edit->remarks, &edit->allocator);
	base_arena_free(&edit->arena);
	strew_map_release(edit->source);
}

strew_status strew_edit_new(strew_edit **out, const strew_map *map)
{
	strew_edit *edit = base_alloc(&map->arena.allocator, 1, sizeof(*edit));

	*out = edit;
	if (edit == NULL)
		return STREW_ENOMEM;
	if (start(edit, map))
		return STREW_OK;
	strew_edit_free(edit);
	*out = NULL;
	return STREW_ENOMEM;
}

void strew_edit_free(strew_edit *edit)
{
	strew_allocator allocator;

	if (edit == NULL)
		return;
	allocator = edit->allocator;
	end(edit);
	base_free(&allocator, edit, sizeof(*edit));
}

/* Copies of what operations outgrew may be much more than the map, which then starts
 * again from what it has come to. One that is no valid map yet is left for later. */
static void tidy(strew_edit *edit)
{
	strew_edit fresh;
	strew_map *map;

	if (edit->failed || edit->spent / 4 < edit->start + TIDY_MIN)
		return;
	edit->start = edit->spent;
	if (strew_edit_build(&map, edit, NULL) != STREW_OK)
		return;
	if (start(&fresh, map)) {
		end(edit);
		*edit = fresh;
	} else {
		end(&fresh);
	}
	strew_map_release(map);
}

static strew_status run(strew_edit *edit, struct edit_call *call)
{
	const struct edit_op *op = NULL;
	strew_status status;

	if (call->word_count == 0)
		return STREW_OK;
	status = edit_match(&op, edit, call);
	if (status != STREW_OK)
		return status;
	edit->reshaped = false;
	status = op->run(edit, call);
	if (edit->reshaped && edit->shades)
		edit_shade(edit);
	tidy(edit);
	return status;
}

static strew_status apply_line(strew_edit *edit, const char *text, size_t length,
			       const char *file, int line, strew_error *error)
{
	struct edit_call call = {.file = file, .line = line, .error = error};
	strew_status status;

	base_arena_init(&call.scratch, &edit->allocator);
	status = edit_split(&call, text, length);
	if (status == STREW_OK)
		status = run(edit, &call);
	base_arena_free(&call.scratch);
	return edit->failed ? base_error_nomem(error) : status;
}

strew_status strew_edit_apply(strew_edit *edit, const char *operation, strew_error *error)
{
	return apply_line(edit, operation, strlen(operation), NULL, 1, error);
}

strew_status strew_edit_apply_script(strew_edit *edit, const char *text, size_t length,
				     const char *name, strew_error *error)
{
	strew_status status = STREW_OK;
	int line = 1;

	while (length > 0 && status == STREW_OK) {
		const char *end = memchr(text, '\n', length);
		size_t count = end ? (size_t)(end - text) : length;

		status = apply_line(edit, text, count, name, line++, error);
		count += end != NULL;
		text += count;
		length -= count;
	}
	return status;
}

strew_status strew_edit_build(strew_map **out, const strew_edit *edit, strew_error *error)
{
	strew_builder *builder;
	strew_status status;

	*out = NULL;
	if (edit->failed)
		return base_error_nomem(error);
	status = strew_builder_from_map(&builder, &edit->map);
	if (status != STREW_OK)
		return base_error_nomem(error);
	status = strew_builder_build(out, builder, error);
	strew_builder_free(builder);
	return status;
}

static const struct edit_op *const subjects[] = {
	edit_tree_ops, edit_weight_ops, edit_device_ops, edit_set_ops,
	edit_rule_ops, edit_pool_ops,   edit_upmap_ops,
};

const struct edit_op *edit_op_at(size_t index)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		for (const struct edit_op *op = subjects[i]; op->syntax; op++)
			if (index-- == 0)
				return op;
	return NULL;
}

size_t strew_edit_operation_count(void)
{
	size_t count = 0;

	while (edit_op_at(count))
		count++;
	return count;
}

const char *strew_edit_operation_syntax(size_t index)
{
	const struct edit_op *op = edit_op_at(index);

	return op ? op->syntax : NULL;
}

const char *strew_edit_operation_summary(size_t index)
{
	const struct edit_op *op = edit_op_at(index);

	return op ? op->summary : NULL;
}
