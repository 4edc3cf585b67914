/* SPDX-License-Identifier: MIT */
/* The tree of our JSON. It is walked twice, without recursion: the first time its buckets
 * and devices are added, the second time they are hung up. In between, what a link names
 * is known, wherever in the tree that stands. */
#include "format_json_priv.h"

enum branch_kind { BRANCH_FAULTY, BRANCH_BUCKET, BRANCH_DEVICES, BRANCH_LINK };

/* What the first walk learns of a node for the second. */
struct branch {
	enum branch_kind kind;
	int32_t first, last; /* a bucket's id; devices */
	uint32_t weight;
	const char *link;
	json_t *children;
};

/* A list of nodes that is being walked. */
struct level {
	json_t *nodes;
	size_t next;
	size_t parent; /* the bucket's branch */
	size_t mark;   /* how to leave the list */
};

#define NO_PARENT SIZE_MAX

struct tree {
	struct format_map *map;
	size_t next; /* the number of the node, in the second walk */
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

static void refuse_bucket(struct format_map *map, const struct bucket *bucket,
			  struct branch *branch)
{
	strew_builder *builder = format_builder(&map->walk);

	if (bucket->name == NULL) {
		map_refuse_all(builder, MAP_BUCKETS);
		return;
	}
	branch->first = map_refuse_bucket(builder, (int32_t)bucket->id, bucket->name);
	if (branch->first != 0)
		name_item(map, bucket->name, branch->first);
}

static void add_bucket(struct format_map *map, json_t *node, struct branch *branch)
{
	struct bucket bucket = {.id = STREW_AUTO_ID,
				.weight = STREW_AUTO_WEIGHT,
				.stored_weight = STREW_AUTO_WEIGHT,
				.straw_calc_version = map->straw_calc_version};
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	bool good = format_object(&map->walk, node, &bucket_shape, &bucket);

	branch->children = bucket.children;
	if (!good) {
		refuse_bucket(map, &bucket, branch);
		return;
	}
	desc.id = (int32_t)bucket.id;
	desc.name = bucket.name;
	desc.type_name = bucket.type;
	desc.alg = bucket.alg;
	desc.hash = (uint8_t)bucket.hash;
	desc.weight = bucket.stored_weight;
	desc.straw_calc_version = (uint8_t)bucket.straw_calc_version;
	branch->first = branch->last =
		strew_builder_add_bucket(format_builder(&map->walk), &desc);
	branch->weight = bucket.weight;
	if (branch->first == 0)
		return;
	branch->kind = BRANCH_BUCKET;
	name_item(map, bucket.name, branch->first);
	format_json_table(&map->walk, bucket.table, branch->first);
	format_json_remarks(
		&map->walk, node,
		(struct map_remark){.owner = MAP_OF_BUCKET, .id = branch->first});
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

static void add_devices(struct format_map *map, json_t *node, struct branch *branch)
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
	if (!good) {
		refuse_devices(map, &device, first, last);
		return;
	}
	for (int64_t id = first; id <= last; id++)
		add_device(map, &device, (int32_t)id);
	if (device.run)
		map->run_devices += last - first + 1;
	if (device.name)
		name_item(map, device.name, (int32_t)first);
	*branch = (struct branch){.kind = BRANCH_DEVICES,
				  .first = (int32_t)first,
				  .last = (int32_t)last,
				  .weight = device.weight};
	format_json_remarks(&map->walk, node,
			    (struct map_remark){.owner = MAP_OF_DEVICES,
						.id = first,
						.last = (int32_t)last});
}

static void add_link(struct format_map *map, json_t *node, struct branch *branch)
{
	struct link link = {.weight = STREW_AUTO_WEIGHT};

	if (!format_object(&map->walk, node, &link_shape, &link))
		return;
	*branch = (struct branch){
		.kind = BRANCH_LINK, .weight = link.weight, .link = link.name};
}

/* The first walk, at a node. @return its children, or NULL. */
static json_t *add_node(struct tree *tree, json_t *node, size_t parent)
{
	struct format_map *map = tree->map;
	struct branch branch = {.kind = BRANCH_FAULTY};
	struct branch *kept;

	if (json_object_get(node, "link"))
		add_link(map, node, &branch);
	else if (json_object_get(node, "device") || json_object_get(node, "devices"))
		add_devices(map, node, &branch);
	else
		add_bucket(map, node, &branch);
	if (parent == NO_PARENT && branch.kind == BRANCH_BUCKET &&
	    branch.weight != STREW_AUTO_WEIGHT)
		format_fault(&map->walk,
			     "a bucket at the top hangs in no other, so it can't have a "
			     "\"weight\" there; its own is its \"stored_weight\"");
	if (parent == NO_PARENT &&
	    (branch.kind == BRANCH_DEVICES || branch.kind == BRANCH_LINK))
		format_fault(&map->walk,
			     "only buckets stand at the top of the tree; devices in no "
			     "bucket go into the member \"unplaced\"");
	kept = base_vec_push(&tree->map->branches, map->walk.allocator, sizeof(*kept));
	if (kept == NULL) {
		map->walk.failed = true;
		return NULL;
	}
	*kept = branch;
	return branch.children;
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

static void hang_link(struct format_map *map, json_t *node, int32_t bucket,
		      const struct branch *branch)
{
	size_t mark = format_enter(&map->walk, "link");
	int32_t item = 0;

	if (find_linked(map, branch->link, &item)) {
		strew_builder_add_item(format_builder(&map->walk), bucket, item,
				       branch->weight, STREW_ITEM_LINK);
		format_json_remarks(&map->walk, node,
				    (struct map_remark){.owner = MAP_OF_LINK});
	} else if (!map_refuses_all(map->walk.builder, MAP_BUCKETS) &&
		   !map_refuses_all(map->walk.builder, MAP_DEVICES)) {
		format_fault(&map->walk,
			     "no bucket or device of the tree is called \"%s\"",
			     branch->link);
	}
	format_leave(&map->walk, mark);
}

/* The second walk, at a node. */
static json_t *hang_node(struct tree *tree, json_t *node, size_t parent)
{
	const struct branch *branches = tree->map->branches.items;
	const struct branch *branch = &branches[tree->next++];

	if (parent == NO_PARENT || branches[parent].kind != BRANCH_BUCKET ||
	    branch->kind == BRANCH_FAULTY)
		return branch->children;
	if (branch->kind == BRANCH_LINK)
		hang_link(tree->map, node, branches[parent].first, branch);
	else
		for (int64_t id = branch->first; id <= branch->last; id++)
			strew_builder_add_item(format_builder(&tree->map->walk),
					       branches[parent].first, (int32_t)id,
					       branch->weight, 0);
	return branch->children;
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

/* Visits each node before its children. The stack is a vector, for trees may be deep. */
static void walk_tree(struct tree *tree, json_t *roots,
		      json_t *(*visit)(struct tree *tree, json_t *node, size_t parent))
{
	struct format_walk *walk = &tree->map->walk;
	struct base_vec levels = {0};
	size_t number = 0, mark = format_enter(walk, "tree");

	push_level(&levels, walk, (struct level){roots, 0, NO_PARENT, mark});
	while (levels.count > 0 && !walk->failed) {
		struct level *top = (struct level *)levels.items + levels.count - 1;
		json_t *node = json_array_get(top->nodes, top->next);
		json_t *children;

		if (node == NULL) {
			format_leave(walk, top->mark);
			levels.count--;
			continue;
		}
		mark = format_enter_at(walk, top->next++);
		children = visit(tree, node, top->parent);
		format_enter(walk, "children");
		push_level(&levels, walk, (struct level){children, 0, number++, mark});
	}
	base_vec_free(&levels, walk->allocator);
}

static void add_unplaced(struct format_walk *walk, json_t *node, void *ctx)
{
	struct branch branch = {.kind = BRANCH_FAULTY};

	if (json_object_get(node, "device") || json_object_get(node, "devices"))
		add_devices(ctx, node, &branch);
	else
		format_fault(walk,
			     "expected a device, which has \"device\" or \"devices\"");
}

void format_json_add_tree(struct format_map *map, json_t *roots, json_t *unplaced)
{
	struct tree tree = {.map = map};

	if (roots)
		walk_tree(&tree, roots, add_node);
	format_list(&map->walk, "unplaced", unplaced, add_unplaced, map);
	format_names_sort(&map->names);
}

void format_json_hang_tree(struct format_map *map, json_t *roots)
{
	struct tree tree = {.map = map};

	if (roots && !map->walk.failed)
		walk_tree(&tree, roots, hang_node);
}
