/* SPDX-License-Identifier: MIT */
/* The tree: each bucket where it hangs first, and links for its other places. It is
 * walked without recursion. */
#include <stdio.h>
#include <string.h>

#include "base_alloc.h"
#include "format_json_priv.h"
#include "format_json_write.h"

/* Parsers stop at some depth, ours at 2048, and a level takes two. What is deeper stands
 * at the top, and is linked where it hangs. */
#define LEVELS_MAX 1000

/* Lines of the document's lists are indented so far. */
#define TOP_DEPTH 2

/* A bucket on the path from the root to where the walk is. */
struct level {
	const strew_bucket *bucket;
	size_t next;
};

struct tree {
	struct format_json_out *out;
	const strew_map *map;
	bool *seen_buckets,
		*seen_devices; /* by index: written already, or a place is due */
	struct base_vec path;  /* struct level */
	struct base_vec deep;  /* const strew_bucket *: still to be written */
	int64_t run_devices;
	bool is_first; /* line of its list */
};

/* Devices with ids in a row that differ in nothing else. */
struct run {
	const strew_device *first;
	size_t count;
	uint32_t weight;
};

static const strew_device *device_of(const struct tree *tree, int32_t id)
{
	return &tree->map->devices[map_device_index(tree->map, id)];
}

static bool *seen_device(const struct tree *tree, const strew_device *device)
{
	return &tree->seen_devices[device - tree->map->devices];
}

static bool *seen_bucket(const struct tree *tree, const strew_bucket *bucket)
{
	return &tree->seen_buckets[bucket - tree->map->buckets];
}

static bool has_default_name(const strew_device *device)
{
	char name[32];

	snprintf(name, sizeof(name), "osd.%d", (int)device->id);
	return strcmp(device->name, name) == 0;
}

static const struct map_remark *remark_of(const struct tree *tree,
					  const strew_device *device)
{
	size_t count = 0;
	const struct map_remark *remarks;

	if (tree->map->remark_count == 0)
		return NULL;
	remarks = map_remarks(tree->map, MAP_OF_DEVICES, device->id, 0, &count);
	return count ? remarks : NULL;
}

/* What has a remark as a link at a place is a link there, and nested elsewhere. */
static bool has_link_remark(const strew_map *map, const strew_bucket *bucket,
			    size_t place)
{
	size_t count = 0;

	map_remarks(map, MAP_OF_LINK, bucket->id, (int64_t)place, &count);
	return count > 0;
}

/* How far a run may go that starts with a device: one with a name of its own is alone,
 * and a remark is on the devices that it was on. */
static int32_t last_of_run(const struct tree *tree, const strew_device *first)
{
	const struct map_remark *remark = remark_of(tree, first);
	int64_t left = FORMAT_RUN_DEVICES_MAX - tree->run_devices;
	int64_t last = first->id + (left > 1 ? left - 1 : 0);

	if (!has_default_name(first))
		return first->id;
	if (remark && remark->last < last)
		last = remark->last;
	return last < STREW_DEVICE_ID_MAX ? (int32_t)last : STREW_DEVICE_ID_MAX;
}

static bool has_same_facts(const strew_device *a, const strew_device *b)
{
	return a->class_name == b->class_name && a->reweight == b->reweight &&
	       a->primary_affinity == b->primary_affinity && a->exists == b->exists &&
	       a->up == b->up && a->size_bytes == b->size_bytes &&
	       a->used_bytes == b->used_bytes;
}

/* Devices are sorted by id, so the next one of a run is the next one of the map. */
static bool goes_on(const struct tree *tree, const struct run *run, int32_t last)
{
	const strew_device *next = run->first + run->count;

	return next < tree->map->devices + tree->map->device_count &&
	       next->id == run->first->id + (int32_t)run->count && next->id <= last &&
	       !*seen_device(tree, next) && has_same_facts(run->first, next) &&
	       has_default_name(next) && remark_of(tree, next) == NULL;
}

static void write_state(struct format_json_out *out, const strew_device *device)
{
	if (!device->exists || !device->up) {
		format_json_member(out, device->exists ? "up" : "exists");
		format_json_put(out, "false");
	}
	if (device->reweight == 0) {
		format_json_member(out, "in");
		format_json_put(out, "false");
	} else if (device->reweight != STREW_WEIGHT_ONE) {
		format_json_member(out, "reweight");
		format_add_share(&out->to.text, device->reweight);
	}
	if (device->primary_affinity != STREW_WEIGHT_ONE) {
		format_json_member(out, "primary_affinity");
		format_add_share(&out->to.text, device->primary_affinity);
	}
}

static void write_bytes(struct format_json_out *out, const char *name, uint64_t bytes)
{
	if (bytes == 0 || bytes > INT64_MAX)
		return;
	format_json_member(out, name);
	format_add_bytes(&out->to.text, bytes);
}

static void start_line(struct tree *tree)
{
	format_json_start_line(tree->out, TOP_DEPTH + tree->path.count, tree->is_first);
	tree->is_first = false;
}

static void write_run_ids(struct tree *tree, const struct run *run)
{
	struct format_json_out *out = tree->out;

	if (run->count == 1) {
		format_json_integer_member(out, "device", run->first->id);
		return;
	}
	format_json_member(out, "devices");
	base_str_addf(&out->to.text, "\"%d-%d\"", (int)run->first->id,
		      (int)run->first->id + (int)run->count - 1);
	tree->run_devices += (int64_t)run->count;
}

static void write_run(struct tree *tree, const struct run *run)
{
	struct format_json_out *out = tree->out;
	const strew_device *device = run->first;

	start_line(tree);
	write_run_ids(tree, run);
	if (!has_default_name(device))
		format_json_string_member(out, "name", device->name);
	if (run->weight != STREW_WEIGHT_ONE)
		format_json_weight_member(out, "weight", run->weight);
	if (device->class_name)
		format_json_string_member(out, "class", device->class_name);
	write_bytes(out, "size", device->size_bytes);
	write_bytes(out, "used", device->used_bytes);
	write_state(out, device);
	format_json_remark_members(out, MAP_OF_DEVICES, device->id, 0);
	format_json_put(out, " }");
	format_json_name_class(out, device->class_name);
	for (size_t i = 0; i < run->count; i++)
		*seen_device(tree, device + i) = true;
}

/* The devices that a bucket holds from an item on. */
static struct run run_in_bucket(const struct tree *tree, const strew_bucket *bucket,
				size_t start)
{
	const struct map_item *items = bucket->items + start;
	struct run run = {device_of(tree, items[0].id), 1, items[0].weight};
	int32_t last = last_of_run(tree, run.first);

	while (start + run.count < bucket->item_count && goes_on(tree, &run, last) &&
	       items[run.count].id == run.first->id + (int32_t)run.count &&
	       items[run.count].weight == run.weight &&
	       !has_link_remark(tree->map, bucket, start + run.count))
		run.count++;
	return run;
}

static void write_link(struct tree *tree, const strew_bucket *bucket, size_t place)
{
	const struct map_item *item = &bucket->items[place];
	struct format_json_out *out = tree->out;
	const strew_bucket *child = strew_map_bucket_by_id(tree->map, item->id);
	uint32_t usual = child ? format_json_sum(out, child) : STREW_WEIGHT_ONE;

	start_line(tree);
	format_json_string_member(out, "link",
				  child ? child->name : device_of(tree, item->id)->name);
	/* What a shadow will hold is not known where it is linked. */
	if (item->weight != usual || (child && child->shadow_of != 0))
		format_json_weight_member(out, "weight", item->weight);
	format_json_remark_members(out, MAP_OF_LINK, bucket->id, (int64_t)place);
	format_json_put(out, " }");
}

void format_json_selector_members(struct format_json_out *out, const strew_bucket *bucket)
{
	bool is_straw = strcmp(bucket->alg, "straw") == 0;
	uint8_t usual = out->map->tunables.straw_calc_version > 0;

	if (strcmp(bucket->alg, "straw2") != 0)
		format_json_string_member(out, "alg", bucket->alg);
	if (bucket->hash != 0)
		format_json_integer_member(out, "hash", bucket->hash);
	if (is_straw && bucket->straw_calc_version != usual)
		format_json_integer_member(out, "straw_calc_version",
					   bucket->straw_calc_version);
	if (bucket->weight != format_json_sum(out, bucket))
		format_json_weight_member(out, "stored_weight", bucket->weight);
	if (bucket->table) {
		format_json_member(out, "table");
		format_json_words(out, bucket->table, bucket->table_words);
	}
}

static void push_level(struct tree *tree, const strew_bucket *bucket)
{
	struct level *level = base_vec_push(&tree->path, tree->out->to.output->allocator,
					    sizeof(*level));

	if (level)
		level->bucket = bucket;
	else
		format_out_no_memory(&tree->out->to);
}

/* The head of a bucket's line; `item` is what its parent has of it, or NULL. */
static void open_bucket(struct tree *tree, const strew_bucket *bucket,
			const struct map_item *item)
{
	struct format_json_out *out = tree->out;

	*seen_bucket(tree, bucket) = true;
	start_line(tree);
	format_json_string_member(out, "type",
				  strew_map_type_name(tree->map, bucket->type));
	format_json_string_member(out, "name", bucket->name);
	format_json_integer_member(out, "id", bucket->id);
	if (item && item->weight != format_json_sum(out, bucket))
		format_json_weight_member(out, "weight", item->weight);
	format_json_selector_members(out, bucket);
	format_json_remark_members(out, MAP_OF_BUCKET, bucket->id, 0);
	if (bucket->item_count > 0) {
		format_json_member(out, "children");
		format_json_put(out, "[");
	}
	tree->is_first = true;
	push_level(tree, bucket);
}

static void close_bucket(struct tree *tree)
{
	const struct level *top = (struct level *)tree->path.items + --tree->path.count;

	format_json_put(tree->out, top->bucket->item_count > 0 ? " ] }" : " }");
	tree->is_first = false;
}

static void put_off(struct tree *tree, const strew_bucket *bucket)
{
	const strew_bucket **deep = base_vec_push(
		&tree->deep, tree->out->to.output->allocator, sizeof(*deep));

	*seen_bucket(tree, bucket) = true;
	if (deep)
		*deep = bucket;
	else
		format_out_no_memory(&tree->out->to);
}

static void write_child(struct tree *tree, const strew_bucket *bucket, size_t place)
{
	const struct map_item *item = &bucket->items[place];
	const strew_bucket *child = strew_map_bucket_by_id(tree->map, item->id);

	if (child->shadow_of == 0 && !*seen_bucket(tree, child) &&
	    !has_link_remark(tree->map, bucket, place)) {
		if (tree->path.count < LEVELS_MAX) {
			open_bucket(tree, child, item);
			return;
		}
		put_off(tree, child);
	}
	write_link(tree, bucket, place);
}

/* The next items of the bucket that the walk is at. */
static void step(struct tree *tree)
{
	struct level *top = (struct level *)tree->path.items + tree->path.count - 1;
	const strew_bucket *bucket = top->bucket;
	size_t place = top->next;
	int32_t item;

	if (place == bucket->item_count) {
		close_bucket(tree);
		return;
	}
	item = bucket->items[place].id;
	top->next++;
	if (item < 0) {
		write_child(tree, bucket, place);
	} else if (*seen_device(tree, device_of(tree, item)) ||
		   has_link_remark(tree->map, bucket, place)) {
		write_link(tree, bucket, place);
	} else {
		struct run run = run_in_bucket(tree, bucket, place);

		top->next += run.count - 1;
		write_run(tree, &run);
	}
}

static void write_from(struct tree *tree, const strew_bucket *root)
{
	open_bucket(tree, root, NULL);
	while (tree->path.count > 0 && !format_out_stopped(&tree->out->to))
		step(tree);
}

/* Marks what hangs in a bucket that is no shadow, but for what is to be a link there. */
static void mark_held(struct tree *tree, const strew_bucket *bucket)
{
	for (size_t i = 0; bucket->shadow_of == 0 && i < bucket->item_count; i++) {
		int32_t id = bucket->items[i].id;

		if (id < 0 && !has_link_remark(tree->map, bucket, i))
			*seen_bucket(tree, strew_map_bucket_by_id(tree->map, id)) = true;
	}
}

/* A bucket is a root when it hangs nowhere, or is a link everywhere. Who hangs somewhere
 * is told by the marks, which are taken away again for the walk. */
static void list_roots(struct tree *tree)
{
	const strew_map *map = tree->map;

	for (size_t i = 0; i < map->bucket_count; i++)
		mark_held(tree, &map->buckets[i]);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0 && !tree->seen_buckets[i])
			put_off(tree, &map->buckets[i]);
	memset(tree->seen_buckets, 0, map->bucket_count * sizeof(*tree->seen_buckets));
}

static void write_roots(struct tree *tree)
{
	list_roots(tree);
	format_json_top_member(tree->out, "tree");
	format_json_put(tree->out, "[");
	tree->is_first = true;
	for (size_t i = 0; i < tree->deep.count && !format_out_stopped(&tree->out->to);
	     i++)
		write_from(tree, ((const strew_bucket **)tree->deep.items)[i]);
	format_json_put(tree->out, tree->deep.count ? "\n  ]" : "]");
	tree->out->starts = false;
}

static void write_unplaced(struct tree *tree)
{
	const strew_map *map = tree->map;
	bool has_any = false;

	tree->is_first = true;
	for (size_t i = 0; i < map->device_count && !format_out_stopped(&tree->out->to);
	     i++) {
		struct run run = {&map->devices[i], 1, STREW_WEIGHT_ONE};
		int32_t last;

		if (tree->seen_devices[i])
			continue;
		if (!has_any) {
			format_json_top_member(tree->out, "unplaced");
			format_json_put(tree->out, "[");
		}
		has_any = true;
		last = last_of_run(tree, run.first);
		while (goes_on(tree, &run, last))
			run.count++;
		write_run(tree, &run);
	}
	if (has_any)
		format_json_put(tree->out, "\n  ]");
	tree->out->starts = false;
}

/* One more than there are, since an array of nothing is no array. */
static bool *mark_none(const struct tree *tree, size_t count)
{
	return base_calloc(tree->out->to.output->allocator, count + 1, sizeof(bool));
}

void format_json_write_tree(struct format_json_out *out)
{
	const strew_allocator *allocator = out->to.output->allocator;
	const strew_map *map = out->map;
	struct tree tree = {.out = out, .map = map};

	tree.seen_buckets = mark_none(&tree, map->bucket_count);
	tree.seen_devices = mark_none(&tree, map->device_count);
	if (tree.seen_buckets && tree.seen_devices) {
		write_roots(&tree);
		write_unplaced(&tree);
	} else {
		format_out_no_memory(&out->to);
	}
	base_free(allocator, tree.seen_buckets, (map->bucket_count + 1) * sizeof(bool));
	base_free(allocator, tree.seen_devices, (map->device_count + 1) * sizeof(bool));
	base_vec_free(&tree.path, allocator);
	base_vec_free(&tree.deep, allocator);
}
