/* SPDX-License-Identifier: MIT */
/* The tree of our JSON. It is walked once, without recursion. What a link names is known
 * at the end only, wherever in the tree that stands. */
#include "format_json_priv.h"

/* A list of nodes that is being walked. */
struct level {
	json_t *nodes;
	size_t next;
	bool is_top;
	int32_t bucket; /* that holds them; 0: none, or one at fault */
	size_t mark;    /* how to leave the list */
};

/* An item that is told by its name. */
struct named {
	const char *name;
	size_t item; /* as the builder knows it */
};

struct bucket {
	const char *type, *name, *alg;
	int64_t id, hash, straw_calc_version;
	uint32_t weight, stored_weight;
	json_t *children, *table;
};

static const struct format_field bucket_fields[] = {
	FORMAT_REQUIRED(KEY_TYPE, FORMAT_TEXT, bucket, type),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, bucket, name),
	FORMAT_OPTIONAL_RANGE(KEY_ID, bucket, id, STREW_BUCKET_ID_MIN, -1),
	FORMAT_OPTIONAL(KEY_ALG, FORMAT_TEXT, bucket, alg),
	FORMAT_OPTIONAL_WORD(KEY_HASH, bucket, hash, WORD_BUCKET_HASH, 255),
	FORMAT_OPTIONAL(KEY_WEIGHT, FORMAT_WEIGHT, bucket, weight),
	FORMAT_OPTIONAL(KEY_STORED_WEIGHT, FORMAT_WEIGHT, bucket, stored_weight),
	FORMAT_OPTIONAL_RANGE(KEY_STRAW_CALC_VERSION, bucket, straw_calc_version, 0, 1),
	FORMAT_OPTIONAL(KEY_TABLE, FORMAT_LIST, bucket, table),
	FORMAT_OPTIONAL(KEY_CHILDREN, FORMAT_LIST, bucket, children),
};
static const struct format_shape bucket_shape =
	FORMAT_SHAPE("bucket", bucket_fields, false);

struct device {
	const char *run, *name, *class_name;
	int64_t id, exists, up, in;
	uint32_t weight, reweight, primary_affinity;
	uint64_t size, used;
};

static const struct format_field device_fields[] = {
	FORMAT_OPTIONAL_RANGE(KEY_DEVICE, device, id, 0, STREW_DEVICE_ID_MAX),
	FORMAT_OPTIONAL(KEY_DEVICES, FORMAT_TEXT, device, run),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, device, name),
	FORMAT_OPTIONAL(KEY_WEIGHT, FORMAT_WEIGHT, device, weight),
	FORMAT_OPTIONAL(KEY_CLASS, FORMAT_TEXT, device, class_name),
	FORMAT_OPTIONAL(KEY_SIZE, FORMAT_BYTES, device, size),
	FORMAT_OPTIONAL(KEY_USED, FORMAT_BYTES, device, used),
	FORMAT_OPTIONAL(KEY_REWEIGHT, FORMAT_SHARE, device, reweight),
	FORMAT_OPTIONAL(KEY_PRIMARY_AFFINITY, FORMAT_SHARE, device, primary_affinity),
	FORMAT_OPTIONAL(KEY_IN, FORMAT_BOOLEAN, device, in),
	FORMAT_OPTIONAL(KEY_UP, FORMAT_BOOLEAN, device, up),
	FORMAT_OPTIONAL(KEY_EXISTS, FORMAT_BOOLEAN, device, exists),
};
static const struct format_shape device_shape =
	FORMAT_SHAPE("device", device_fields, false);

struct link {
	const char *name;
	uint32_t weight;
};

static const struct format_field link_fields[] = {
	FORMAT_REQUIRED(KEY_LINK, FORMAT_TEXT, link, name),
	FORMAT_OPTIONAL(KEY_WEIGHT, FORMAT_WEIGHT, link, weight),
};
static const struct format_shape link_shape = FORMAT_SHAPE("link", link_fields, false);

static void name_item(struct format_map *map, const char *name, int32_t id)
{
	if (!format_names_add(&map->names, map->walk.allocator, name, id))
		map->walk.failed = true;
}

static void refuse_bucket(struct format_map *map, const struct bucket *bucket)
{
	strew_builder *builder = format_builder(&map->walk);
	int32_t id;

	if (bucket->name == NULL) {
		map_refuse_all(builder, MAP_BUCKETS);
		return;
	}
	id = map_refuse_bucket(builder, (int32_t)bucket->id, bucket->name);
	if (id != 0)
		name_item(map, bucket->name, id);
}

static void hang(struct format_map *map, const struct level *level, int32_t item,
		 uint32_t weight)
{
	if (level->bucket != 0)
		strew_builder_add_item(format_builder(&map->walk), level->bucket, item,
				       weight, 0);
}

/* @return its id, or 0 when it is at fault. */
static int32_t add_to_builder(struct format_map *map, const struct bucket *bucket)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = (int32_t)bucket->id;
	desc.name = bucket->name;
	desc.type_name = bucket->type;
	desc.alg = bucket->alg;
	desc.hash = (uint8_t)bucket->hash;
	desc.weight = bucket->stored_weight;
	desc.straw_calc_version = (uint8_t)bucket->straw_calc_version;
	return strew_builder_add_bucket(format_builder(&map->walk), &desc);
}

/* @return the list of its children, which may be NULL. */
static struct level add_bucket(struct format_map *map, json_t *node,
			       const struct level *level)
{
	struct bucket bucket = {.id = STREW_AUTO_ID,
				.weight = STREW_AUTO_WEIGHT,
				.stored_weight = STREW_AUTO_WEIGHT,
				.straw_calc_version = map->straw_calc_version};
	struct level below = {0};
	bool good = format_object(&map->walk, node, &bucket_shape, &bucket);

	below.nodes = bucket.children;
	if (!good) {
		refuse_bucket(map, &bucket);
		return below;
	}
	below.bucket = add_to_builder(map, &bucket);
	if (below.bucket == 0)
		return below;
	hang(map, level, below.bucket, bucket.weight);
	name_item(map, bucket.name, below.bucket);
	format_json_table(&map->walk, bucket.table, below.bucket);
	format_json_remarks(
		&map->walk, node,
		(struct map_remark){.owner = MAP_OF_BUCKET, .id = below.bucket});
	if (level->is_top && bucket.weight != STREW_AUTO_WEIGHT)
		format_fault(&map->walk,
			     "a bucket at the top hangs in no other, so it can't have a "
			     "\"weight\" there; its own is its \"stored_weight\"");
	return below;
}

static void add_device(struct format_map *map, const struct device *device, int32_t id)
{
	strew_builder *builder = format_builder(&map->walk);

	strew_builder_add_device(builder, id, device->name, device->class_name);
	if (device->exists >= 0 || device->up >= 0)
		strew_builder_set_state(builder, id, device->exists != 0,
					device->exists != 0 && device->up != 0);
	/* An out device keeps its reweight in the file, for when it is in again. */
	if (device->in == 0)
		strew_builder_set_reweight(builder, id, 0);
	else if (device->reweight != STREW_AUTO_WEIGHT)
		strew_builder_set_reweight(builder, id, device->reweight);
	if (device->primary_affinity != STREW_AUTO_WEIGHT)
		strew_builder_set_primary_affinity(builder, id, device->primary_affinity);
	if (device->size > 0 || device->used > 0)
		strew_builder_set_capacity(builder, id, device->size, device->used);
}

/* Which devices a node is: its member "device" or "devices". */
static bool read_range(struct format_map *map, struct device *device, int64_t *first,
		       int64_t *last)
{
	size_t mark;
	bool good;

	if ((device->id < 0) == (device->run == NULL)) {
		format_fault(&map->walk,
			     "expected \"device\" or \"devices\", found both");
		return false;
	}
	*first = *last = device->id;
	if (device->run == NULL)
		return true;
	mark = format_enter(&map->walk, "devices");
	good = format_run(&map->walk, device->run, first, last);
	if (good && *last - *first >= FORMAT_RUN_DEVICES_MAX - map->run_devices) {
		format_fault_range(
			&map->walk,
			"runs of devices name more than %d devices, the most that "
			"one file may name so",
			FORMAT_RUN_DEVICES_MAX);
		good = false;
	}
	format_leave(&map->walk, mark);
	if (good && device->name) {
		format_fault(&map->walk,
			     "devices in a run can't have a name; give each its own "
			     "\"device\"");
		good = false;
	}
	return good;
}

static void refuse_at_top(struct format_map *map, const struct level *level)
{
	if (level->is_top)
		format_fault(&map->walk,
			     "only buckets stand at the top of the tree; devices in no "
			     "bucket go into the member \"unplaced\"");
}

/* Of devices at fault what matters is that others may name them. */
static void refuse_devices(struct format_map *map, const struct device *device,
			   int64_t first, int64_t last)
{
	for (int64_t id = first; id <= last; id++)
		map_refuse_device(format_builder(&map->walk), (int32_t)id, device->name,
				  device->class_name);
	if (device->name)
		name_item(map, device->name, (int32_t)first);
}

static void add_devices(struct format_map *map, json_t *node, const struct level *level)
{
	struct device device = {.id = -1,
				.exists = -1,
				.up = -1,
				.in = -1,
				.weight = STREW_AUTO_WEIGHT,
				.reweight = STREW_AUTO_WEIGHT,
				.primary_affinity = STREW_AUTO_WEIGHT};
	int64_t first = 0, last = 0;
	bool good = format_object(&map->walk, node, &device_shape, &device);

	if ((device.id < 0 && device.run == NULL) ||
	    !read_range(map, &device, &first, &last)) {
		map_refuse_all(format_builder(&map->walk), MAP_DEVICES);
		return;
	}
	if (device.run)
		map->run_devices += last - first + 1;
	if (!good) {
		refuse_devices(map, &device, first, last);
		return;
	}
	for (int64_t id = first; id <= last; id++) {
		add_device(map, &device, (int32_t)id);
		hang(map, level, (int32_t)id, device.weight);
	}
	if (device.name)
		name_item(map, device.name, (int32_t)first);
	format_json_remarks(&map->walk, node,
			    (struct map_remark){.owner = MAP_OF_DEVICES,
						.id = first,
						.last = (int32_t)last});
	refuse_at_top(map, level);
}

static void add_link(struct format_map *map, json_t *node, const struct level *level)
{
	struct link link = {.weight = STREW_AUTO_WEIGHT};
	struct named *named;
	size_t mark;

	if (!format_object(&map->walk, node, &link_shape, &link))
		return;
	refuse_at_top(map, level);
	if (level->bucket == 0)
		return;
	named = base_vec_push(&map->links, map->walk.allocator, sizeof(*named));
	if (named == NULL) {
		map->walk.failed = true;
		return;
	}
	mark = format_enter(&map->walk, "link");
	named->name = link.name;
	named->item = map_hang_later(format_builder(&map->walk), level->bucket,
				     link.weight, STREW_ITEM_LINK);
	format_json_remarks(&map->walk, node, (struct map_remark){.owner = MAP_OF_LINK});
	format_leave(&map->walk, mark);
}

/* @return the list of its children, which may be NULL. */
static struct level add_node(struct format_map *map, json_t *node,
			     const struct level *level)
{
	const struct level none = {0};

	if (json_object_get(node, "link"))
		add_link(map, node, level);
	else if (json_object_get(node, "device") || json_object_get(node, "devices"))
		add_devices(map, node, level);
	else
		return add_bucket(map, node, level);
	return none;
}

bool format_json_find(struct format_map *map, const char *name, int32_t *id)
{
	int64_t device = 0;

	if (format_names_find(&map->names, name, id))
		return true;
	if (!format_numbered(name, "osd.", &device))
		return false;
	*id = (int32_t)device;
	return true;
}

/* A shadow may hang somewhere too, where a cluster's map has it so. */
static bool find_linked(struct format_map *map, const char *name, int32_t *item)
{
	return format_json_find(map, name, item) ||
	       format_names_find(&map->shadows, name, item);
}

static bool push_level(struct base_vec *levels, struct format_walk *walk,
		       struct level level)
{
	struct level *top = base_vec_push(levels, walk->allocator, sizeof(*top));

	if (top)
		*top = level;
	else
		walk->failed = true;
	return top != NULL;
}

/* Adds each node before its children. The stack is a vector, for trees may be deep. */
static void walk_tree(struct format_map *map, json_t *roots)
{
	struct format_walk *walk = &map->walk;
	struct base_vec levels = {0};
	size_t mark = format_enter(walk, "tree");

	push_level(&levels, walk,
		   (struct level){.nodes = roots, .is_top = true, .mark = mark});
	while (levels.count > 0 && !walk->failed) {
		struct level *top = (struct level *)levels.items + levels.count - 1;
		json_t *node = json_array_get(top->nodes, top->next);
		struct level below;

		if (node == NULL) {
			format_leave(walk, top->mark);
			levels.count--;
			continue;
		}
		mark = format_enter_at(walk, top->next++);
		below = add_node(map, node, top);
		below.mark = mark;
		if (below.nodes == NULL) {
			format_leave(walk, mark);
			continue;
		}
		format_enter(walk, "children");
		push_level(&levels, walk, below);
	}
	base_vec_free(&levels, walk->allocator);
}

static void add_unplaced(struct format_walk *walk, json_t *node, void *ctx)
{
	const struct level nowhere = {0};

	if (json_object_get(node, "device") || json_object_get(node, "devices"))
		add_devices(ctx, node, &nowhere);
	else
		format_fault(walk,
			     "expected a device, which has \"device\" or \"devices\"");
}

void format_json_tree(struct format_map *map, json_t *roots, json_t *unplaced)
{
	if (roots)
		walk_tree(map, roots);
	format_list(&map->walk, "unplaced", unplaced, add_unplaced, map);
	format_names_sort(&map->names);
}

void format_json_links(struct format_map *map)
{
	strew_builder *builder = format_builder(&map->walk);
	const struct named *links = map->links.items;
	bool knows_all = !map_refuses_all(builder, MAP_BUCKETS) &&
			 !map_refuses_all(builder, MAP_DEVICES);

	for (size_t i = 0; i < map->links.count; i++) {
		int32_t item = 0;

		if (find_linked(map, links[i].name, &item))
			map_hang(builder, links[i].item, item);
		else if (knows_all)
			map_refuse_hanging(
				builder, links[i].item, STREW_ESYNTAX,
				"no bucket or device of the tree is called \"%s\"",
				links[i].name);
	}
	base_vec_free(&map->links, map->walk.allocator);
}
