/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

/**
 * The shadow trees of device classes after an operation, as Ceph's monitor leaves them: a
 * shadow that is there keeps its id, one that is new has the highest free id, in the
 * order in which a build makes shadows (tree by tree from the lowest root id, class by
 * class, children before their parents). Classes without devices go, unless a rule takes
 * them.
 */
struct shading {
	strew_edit *edit;
	size_t buckets, classes; /* before new shadows were added */
	uint32_t *order;         /* ordinary buckets: tree by tree, children first */
	uint32_t *trees;         /* of each in the order */
	size_t count;
	int32_t *ids; /* of shadows: by class, then by the base's index; 0: none */
	struct base_vec made;  /* strew_bucket: the new ones, in order of id */
	struct base_vec items; /* struct map_item: of the one at work */
	struct base_vec path;  /* struct stop */
	uint8_t *states;
};

enum state { UNSEEN, LISTED, OPEN, DONE };

struct stop {
	uint32_t bucket;
	size_t next;
};

static void *push(struct shading *work, struct base_vec *vec, size_t size)
{
	void *room = base_vec_push(vec, &work->edit->allocator, size);

	if (room == NULL)
		work->edit->failed = true;
	return room;
}

static size_t index_of(const struct shading *work, int32_t id)
{
	const strew_bucket *bucket = edit_bucket(work->edit, id);

	return bucket ? (size_t)(bucket - work->edit->map.buckets) : EDIT_NOWHERE;
}

static void enter(struct shading *work, size_t bucket)
{
	struct stop *stop = push(work, &work->path, sizeof(*stop));

	work->states[bucket] = OPEN;
	if (stop)
		stop->bucket = (uint32_t)bucket;
}

static void step(struct shading *work, uint32_t tree)
{
	struct stop *stop = (struct stop *)work->path.items + work->path.count - 1;
	const strew_bucket *bucket = &work->edit->map.buckets[stop->bucket];
	size_t child;

	if (stop->next == bucket->item_count) {
		work->states[stop->bucket] = DONE;
		work->trees[work->count] = tree;
		work->order[work->count++] = stop->bucket;
		work->path.count--;
		return;
	}
	child = index_of(work, bucket->items[stop->next++].id);
	if (child != EDIT_NOWHERE && work->states[child] < OPEN)
		enter(work, child);
}

static void list_children(struct shading *work)
{
	const strew_map *map = &work->edit->map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];

		for (size_t j = 0; bucket->shadow_of == 0 && j < bucket->item_count;
		     j++) {
			size_t child = index_of(work, bucket->items[j].id);

			if (child != EDIT_NOWHERE)
				work->states[child] = LISTED;
		}
	}
}

static void put_in_order(struct shading *work)
{
	uint32_t tree = 0;

	list_children(work);
	for (size_t i = work->buckets; i-- > 0 && !work->edit->failed;) {
		if (work->states[i] != UNSEEN ||
		    work->edit->map.buckets[i].shadow_of != 0)
			continue;
		enter(work, i);
		while (work->path.count > 0 && !work->edit->failed)
			step(work, tree);
		tree++;
	}
}

static size_t class_index(const strew_map *map, const char *name)
{
	size_t i = 0;

	while (i < map->class_count && strcmp(map->classes[i].name, name) != 0)
		i++;
	return i;
}

static int32_t *shade_id(const struct shading *work, size_t bucket, size_t class_index)
{
	return &work->ids[class_index * work->buckets + bucket];
}

static void note_existing(struct shading *work)
{
	const strew_map *map = &work->edit->map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *shadow = &map->buckets[i];

		if (shadow->shadow_of == 0)
			continue;
		*shade_id(work, index_of(work, shadow->shadow_of),
			  class_index(map, shadow->class_name)) = shadow->id;
	}
}

/* Buckets and new shadows are both in order of id, downward. */
static strew_bucket *find_shadow(const struct shading *work, int32_t id)
{
	strew_bucket *made = work->made.items;

	for (size_t i = 0, end = work->made.count; i < end;) {
		size_t middle = i + (end - i) / 2;

		if (made[middle].id == id)
			return &made[middle];
		if (made[middle].id > id)
			i = middle + 1;
		else
			end = middle;
	}
	return edit_bucket(work->edit, id);
}

/* What the shadow holds in place of an item. @return false for nothing */
static bool shade_item(const struct shading *work, struct map_item *item, size_t class)
{
	const strew_map *map = &work->edit->map;
	const char *name = map->classes[class].name;
	const strew_device *device;
	size_t child;

	if (item->id >= 0) {
		device = &map->devices[map_device_index(map, item->id)];
		return device->class_name && strcmp(device->class_name, name) == 0;
	}
	child = index_of(work, item->id);
	item->id = *shade_id(work, child, class);
	if (map->buckets[child].shadow_of != 0 || item->id == 0)
		return false;
	item->weight = find_shadow(work, item->id)->weight;
	return true;
}

/* Lists what the shadow holds. @return what that weighs */
static uint32_t list_items(struct shading *work, const strew_bucket *base, size_t class)
{
	uint32_t sum = 0;

	work->items.count = 0;
	for (size_t i = 0; i < base->item_count && !work->edit->failed; i++) {
		struct map_item item = base->items[i], *added;

		if (!shade_item(work, &item, class))
			continue;
		added = push(work, &work->items, sizeof(*added));
		if (added)
			*added = item;
		sum += item.weight;
	}
	return sum;
}

static bool holds(const struct shading *work, const strew_bucket *shadow)
{
	return shadow->item_count == work->items.count &&
	       (shadow->item_count == 0 ||
		memcmp(shadow->items, work->items.items,
		       work->items.count * sizeof(*shadow->items)) == 0);
}

static bool holds_same(const struct shading *work, const strew_bucket *shadow)
{
	const struct map_item *items = work->items.items;

	for (size_t i = 0; i < shadow->item_count; i++)
		if (shadow->items[i].id != items[i].id)
			return false;
	return true;
}

static void fill_part(struct shading *work, const struct map_weight_set *set,
		      const struct map_weights *above, struct map_weights *part,
		      const strew_bucket *base, const strew_bucket *shadow)
{
	uint32_t *rows = (uint32_t *)part->rows;

	for (size_t i = 0, from = 0; i < shadow->item_count; i++, from++) {
		int32_t id = shadow->items[i].id;
		const strew_bucket *child = id < 0 ? find_shadow(work, id) : NULL;
		int32_t original = child ? child->shadow_of : id;

		while (base->items[from].id != original)
			from++;
		for (size_t j = 0; j < part->positions; j++)
			rows[j * shadow->item_count + i] =
				child ? edit_row_sum(map_weights_of(set, id), child, j)
				      : above->rows[j * base->item_count + from];
	}
}

/* A shadow's rows are made of those of what it shadows. */
static void shade_rows(struct shading *work, const strew_bucket *base,
		       const strew_bucket *shadow)
{
	strew_map *map = &work->edit->map;

	for (size_t i = 0; i < map->weight_set_count && !work->edit->failed; i++) {
		struct map_weight_set *set = &map->weight_sets[i];
		struct map_weights *above = map_weights_of(set, base->id), *part;
		size_t positions = above ? above->positions : 0;

		if (positions == 0) {
			edit_drop_part(work->edit, set, shadow->id);
			continue;
		}
		part = map_weights_of(set, shadow->id);
		if (part == NULL || part->positions != positions || part->rows == NULL)
			part = edit_add_part(work->edit, set, shadow, positions);
		if (part)
			fill_part(work, set, map_weights_of(set, base->id), part, base,
				  shadow);
	}
}

static void drop_parts(struct shading *work, int32_t bucket)
{
	for (size_t i = 0; i < work->edit->map.weight_set_count; i++)
		edit_drop_part(work->edit, &work->edit->map.weight_sets[i], bucket);
}

/* A list of other items has rows of another shape. */
static void set_items(struct shading *work, strew_bucket *shadow)
{
	size_t count = work->items.count;
	bool same = shadow->item_count == count && holds_same(work, shadow);

	if (holds(work, shadow))
		return;
	if (!same)
		drop_parts(work, shadow->id);
	shadow->items = edit_alloc(work->edit, edit_room(count), sizeof(struct map_item));
	if (shadow->items == NULL)
		return;
	if (count > 0)
		memcpy(shadow->items, work->items.items, count * sizeof(struct map_item));
	shadow->item_count = count;
	edit_touch(work->edit, shadow);
}

static const char *shadow_name(strew_edit *edit, const char *base, const char *class_name)
{
	char *name = map_shadow_name(&edit->arena, base, class_name);

	if (name)
		edit->spent += strlen(name) + 1;
	else
		edit->failed = true;
	return name;
}

static int32_t free_id(const struct shading *work)
{
	const strew_bucket *made = work->made.items;
	int32_t id = -1;
	size_t i = 0;

	if (work->made.count > 0)
		id = made[work->made.count - 1].id - 1;
	while (i < work->buckets && work->edit->map.buckets[i].id > id)
		i++;
	for (; i < work->buckets && work->edit->map.buckets[i].id == id; i++)
		id--;
	return id;
}

static strew_bucket *add_shadow(struct shading *work, const strew_bucket *base,
				size_t class)
{
	int32_t id = free_id(work);
	strew_bucket *shadow = push(work, &work->made, sizeof(*shadow));

	if (shadow == NULL)
		return NULL;
	*shadow = *base;
	shadow->id = id;
	shadow->shadow_of = base->id;
	shadow->class_name = work->edit->map.classes[class].name;
	shadow->name = "";
	shadow->items = NULL;
	shadow->item_count = 0;
	shadow->table = NULL;
	shadow->table_words = 0;
	return shadow;
}

static void shade_bucket(struct shading *work, size_t index, size_t class)
{
	const strew_bucket *base = &work->edit->map.buckets[index];
	uint32_t weight = list_items(work, base, class);
	int32_t *id = shade_id(work, index, class);
	strew_bucket *shadow;

	shadow = *id ? find_shadow(work, *id) : add_shadow(work, base, class);
	if (shadow == NULL)
		return;
	*id = shadow->id;
	set_items(work, shadow);
	if (strcmp(shadow->alg, base->alg) != 0)
		edit_touch(work->edit, shadow);
	shadow->alg = base->alg;
	shadow->weight = weight;
	if (!map_is_called_after(shadow, base->name))
		shadow->name = shadow_name(work->edit, base->name, shadow->class_name);
	if (!work->edit->failed)
		shade_rows(work, base, shadow);
}

static void shade_all(struct shading *work)
{
	size_t end;

	for (size_t start = 0; start < work->count; start = end) {
		end = start + 1;
		while (end < work->count && work->trees[end] == work->trees[start])
			end++;
		for (size_t class = 0; class < work->classes; class ++)
			for (size_t i = start; i < end && !work->edit->failed; i++)
				shade_bucket(work, work->order[i], class);
	}
}

static void add_made(struct shading *work)
{
	const strew_bucket *made = work->made.items;

	for (size_t i = 0; i < work->made.count && !work->edit->failed; i++)
		edit_add_bucket(work->edit, &made[i]);
}

static bool is_taken(const strew_map *map, const char *class_name)
{
	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		for (size_t j = 0; j < rule->step_count; j++) {
			const strew_bucket *bucket = NULL;

			if (rule->steps[j].op == STREW_OP_TAKE)
				bucket = strew_map_bucket_by_id(map, rule->steps[j].arg1);
			if (bucket && bucket->shadow_of != 0 &&
			    strcmp(bucket->class_name, class_name) == 0)
				return true;
		}
	}
	return false;
}

static bool is_dead(const strew_map *map, const char *class_name)
{
	for (size_t i = 0; i < map->device_count; i++) {
		const char *name = map->devices[i].class_name;

		if (name && strcmp(name, class_name) == 0)
			return false;
	}
	return !is_taken(map, class_name);
}

static void drop_class(strew_edit *edit, size_t class)
{
	const char *name = edit->map.classes[class].name;

	for (size_t i = edit->map.bucket_count; i-- > 0;) {
		const strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->shadow_of != 0 && strcmp(bucket->class_name, name) == 0)
			edit_drop_bucket(edit, bucket->id);
	}
	edit_erase(edit, &edit->classes, sizeof(struct map_class), class);
}

static void drop_dead_classes(strew_edit *edit)
{
	for (size_t i = edit->map.class_count; i-- > 0;)
		if (is_dead(&edit->map, edit->map.classes[i].name))
			drop_class(edit, i);
}

static bool make_room(struct shading *work)
{
	const strew_allocator *allocator = &work->edit->allocator;
	size_t buckets = work->buckets;

	work->order = base_calloc(allocator, buckets, sizeof(*work->order));
	work->trees = base_calloc(allocator, buckets, sizeof(*work->trees));
	work->states = base_calloc(allocator, buckets, 1);
	work->ids = base_calloc(allocator, buckets * work->classes, sizeof(*work->ids));
	return work->order && work->trees && work->states && work->ids;
}

static void free_room(struct shading *work)
{
	const strew_allocator *allocator = &work->edit->allocator;
	size_t buckets = work->buckets;

	base_free(allocator, work->order, buckets * sizeof(*work->order));
	base_free(allocator, work->trees, buckets * sizeof(*work->trees));
	base_free(allocator, work->states, buckets);
	base_free(allocator, work->ids, buckets * work->classes * sizeof(*work->ids));
	base_vec_free(&work->made, allocator);
	base_vec_free(&work->items, allocator);
	base_vec_free(&work->path, allocator);
}

void edit_shade(strew_edit *edit)
{
	struct shading work = {.edit = edit};

	if (edit->failed)
		return;
	drop_dead_classes(edit);
	work.buckets = edit->map.bucket_count;
	work.classes = edit->map.class_count;
	if (work.buckets == 0 || work.classes == 0)
		return;
	if (!make_room(&work))
		edit->failed = true;
	if (!edit->failed) {
		put_in_order(&work);
		note_existing(&work);
		shade_all(&work);
		add_made(&work);
	}
	free_room(&work);
}
