/* SPDX-License-Identifier: MIT */
/* The lists of nodes that `ceph osd df` and `ceph osd tree` print, joined to a map;
 * doc/formats/ceph-osd-df.md, doc/formats/ceph-osd-tree.md. */
#include <string.h>

#include "base_fixed.h"
#include "format.h"
#include "format_ceph_priv.h"

struct node {
	int64_t id, kb, kb_used, exists;
	const char *status, *class_name;
	json_t *crush_weight;
	uint32_t reweight, primary_affinity;
};

static const struct format_field id_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, node, id, INT32_MIN, STREW_DEVICE_ID_MAX),
};
static const struct format_shape id_shape = FORMAT_SHAPE("node", id_fields, true);

static const struct format_field df_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_KB, node, kb, 0, INT64_MAX / 1024),
	FORMAT_REQUIRED_RANGE(KEY_KB_USED, node, kb_used, 0, INT64_MAX / 1024),
};
static const struct format_shape df_shape = FORMAT_SHAPE("device", df_fields, true);

static const struct format_field tree_fields[] = {
	FORMAT_OPTIONAL(KEY_DEVICE_CLASS, FORMAT_TEXT, node, class_name),
	FORMAT_OPTIONAL(KEY_CRUSH_WEIGHT, FORMAT_ANY, node, crush_weight),
	FORMAT_OPTIONAL_RANGE(KEY_EXISTS, node, exists, 0, 1),
	FORMAT_OPTIONAL(KEY_STATUS, FORMAT_TEXT, node, status),
	FORMAT_OPTIONAL(KEY_REWEIGHT, FORMAT_SHARE, node, reweight),
	FORMAT_OPTIONAL(KEY_PRIMARY_AFFINITY, FORMAT_SHARE, node, primary_affinity),
};
static const struct format_shape tree_shape = FORMAT_SHAPE("device", tree_fields, true);

/* Buckets are among the nodes; what is said of them sums up what is said of devices. */
static bool is_device(struct format_walk *walk, json_t *element, struct node *node)
{
	return format_object(walk, element, &id_shape, node) && node->id >= 0;
}

static void read_df_node(struct format_walk *walk, json_t *element, void *ctx)
{
	struct node node;

	(void)ctx;
	if (is_device(walk, element, &node) &&
	    format_object(walk, element, &df_shape, &node))
		format_ceph_capacity(walk, node.id, node.kb, node.kb_used);
}

/* Old releases print six decimals, which are nearest to the weight that is meant. */
static void read_weight(struct format_walk *walk, const struct node *node)
{
	size_t mark = format_enter(walk, "crush_weight");
	uint32_t weight = 0;

	if (!json_is_number(node->crush_weight))
		format_fault(walk, "expected a number, found %s",
			     format_kind_of(node->crush_weight));
	else if (base_fixed_nearest(&weight, json_number_value(node->crush_weight)) &&
		 weight != STREW_AUTO_WEIGHT)
		map_weigh_device(format_builder(walk), (int32_t)node->id, NULL, weight);
	else
		format_fault_range(walk, "a weight is from 0 to 65535.99; this is %.15g",
				   json_number_value(node->crush_weight));
	format_leave(walk, mark);
}

static void tell_device(struct format_walk *walk, const struct node *node)
{
	strew_builder *builder = format_builder(walk);
	int32_t id = (int32_t)node->id;

	if (node->status || node->exists >= 0)
		strew_builder_set_state(builder, id, node->exists != 0,
					node->exists != 0 && node->status &&
						strcmp(node->status, "up") == 0);
	if (node->reweight != STREW_AUTO_WEIGHT)
		strew_builder_set_reweight(builder, id, node->reweight);
	if (node->primary_affinity != STREW_AUTO_WEIGHT)
		strew_builder_set_primary_affinity(builder, id, node->primary_affinity);
	if (node->class_name && node->class_name[0] != '\0')
		map_classify_device(builder, id, node->class_name);
}

static void read_tree_node(struct format_walk *walk, json_t *element, void *ctx)
{
	struct node node = {.exists = -1,
			    .reweight = STREW_AUTO_WEIGHT,
			    .primary_affinity = STREW_AUTO_WEIGHT};
	bool *hangs = ctx;

	if (!is_device(walk, element, &node) ||
	    !format_object(walk, element, &tree_shape, &node))
		return;
	tell_device(walk, &node);
	if (node.crush_weight && *hangs)
		read_weight(walk, &node);
}

struct document {
	json_t *nodes, *stray;
};

static const struct format_field document_fields[] = {
	FORMAT_REQUIRED(KEY_NODES, FORMAT_LIST, document, nodes),
	FORMAT_OPTIONAL(KEY_STRAY, FORMAT_LIST, document, stray),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("list of devices", document_fields, true);

static strew_status read_nodes(const struct format_input *input, strew_builder *builder,
			       void (*read_node)(struct format_walk *walk,
						 json_t *element, void *hangs),
			       strew_error *error)
{
	struct document document = {.nodes = NULL};
	bool hangs = true, strays = false;
	struct format_walk walk;

	format_walk_init(&walk, builder, input->allocator);
	format_object(&walk, input->json, &document_shape, &document);
	format_list(&walk, "nodes", document.nodes, read_node, &hangs);
	format_list(&walk, "stray", document.stray, read_node, &strays);
	return format_walk_end(&walk, error);
}

static strew_status read_osd_df(const struct format_input *input, strew_builder *builder,
				strew_error *error)
{
	return read_nodes(input, builder, read_df_node, error);
}

static strew_status read_osd_tree(const struct format_input *input,
				  strew_builder *builder, strew_error *error)
{
	return read_nodes(input, builder, read_tree_node, error);
}

/* Only `df` has a summary. */
static int probe_nodes(const struct format_input *input, bool has_summary)
{
	if (!json_is_array(json_object_get(input->json, "nodes")))
		return 0;
	if (has_summary != json_is_object(json_object_get(input->json, "summary")))
		return 0;
	return json_is_array(json_object_get(input->json, "stray")) ? 90 : 50;
}

static int probe_osd_df(const struct format_input *input)
{
	return probe_nodes(input, true);
}

static int probe_osd_tree(const struct format_input *input)
{
	return probe_nodes(input, false);
}

const struct format_ops format_ceph_osd_df = {
	.name = "ceph-osd-df",
	.summary = "sizes and use of devices (ceph osd df -f json), joined to a map",
	.flags = FORMAT_JOIN,
	.probe = probe_osd_df,
	.read = read_osd_df,
};

const struct format_ops format_ceph_osd_tree = {
	.name = "ceph-osd-tree",
	.summary = "weights, classes and states of devices (ceph osd tree -f json), "
		   "joined to a map",
	.flags = FORMAT_JOIN,
	.probe = probe_osd_tree,
	.read = read_osd_tree,
};
