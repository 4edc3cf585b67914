/* SPDX-License-Identifier: MIT */
/* A whole cluster, as `ceph report` prints it; doc/formats/ceph-report.md. */
#include "format.h"
#include "format_ceph_priv.h"

struct document {
	json_t *crush, *cluster, *metadata;
};

static const struct format_field document_fields[] = {
	FORMAT_REQUIRED(KEY_CRUSHMAP, FORMAT_OBJECT, document, crush),
	FORMAT_REQUIRED(KEY_OSDMAP, FORMAT_OBJECT, document, cluster),
	FORMAT_OPTIONAL(KEY_OSD_METADATA, FORMAT_LIST, document, metadata),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("report", document_fields, true);

struct device {
	int64_t id;
	json_t *size;
};

static const struct format_field device_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, device, id, 0, STREW_DEVICE_ID_MAX),
	FORMAT_OPTIONAL(KEY_BLUESTORE_BDEV_SIZE, FORMAT_ANY, device, size),
};
static const struct format_shape device_shape =
	FORMAT_SHAPE("device", device_fields, true);

/* All values are strings there; a size is one of digits. */
static void read_metadata(struct format_walk *walk, json_t *element, void *ctx)
{
	struct device device = {.size = NULL};
	uint64_t size = 0;
	json_t *number;

	(void)ctx;
	if (!format_object(walk, element, &device_shape, &device) ||
	    !json_is_string(device.size))
		return;
	number = json_loads(json_string_value(device.size), JSON_DECODE_ANY, NULL);
	if (json_is_integer(number) && json_integer_value(number) > 0)
		size = (uint64_t)json_integer_value(number);
	json_decref(number);
	if (size > 0)
		strew_builder_set_capacity(format_builder(walk), (int32_t)device.id, size,
					   0);
}

static void read_part(struct format_walk *walk, const char *member, json_t *part,
		      void (*read)(struct format_walk *walk, json_t *document))
{
	size_t mark = format_enter(walk, member);

	if (part)
		read(walk, part);
	format_leave(walk, mark);
}

static strew_status read_report(const struct format_input *input, strew_builder *builder,
				strew_error *error)
{
	struct document document = {.crush = NULL};
	struct format_walk walk;

	format_walk_init(&walk, builder, input->allocator);
	format_object(&walk, input->json, &document_shape, &document);
	read_part(&walk, "crushmap", document.crush, format_ceph_crush);
	read_part(&walk, "osdmap", document.cluster, format_ceph_cluster);
	format_list(&walk, "osd_metadata", document.metadata, read_metadata, NULL);
	format_ceph_stats(&walk, input->json);
	return format_walk_end(&walk, error);
}

static int probe_report(const struct format_input *input)
{
	return json_is_object(json_object_get(input->json, "crushmap")) &&
			       json_is_object(json_object_get(input->json, "osdmap"))
		       ? 95
		       : 0;
}

const struct format_ops format_ceph_report = {
	.name = "ceph-report",
	.summary = "a whole cluster: CRUSH map, pools, states, use (ceph report)",
	.flags = FORMAT_WHOLE,
	.probe = probe_report,
	.read = read_report,
};
