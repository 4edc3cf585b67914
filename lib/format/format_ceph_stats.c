/* SPDX-License-Identifier: MIT */
/* What `ceph pg dump -f json` says of PGs, pools and devices, joined to a map;
 * doc/formats/ceph-pg-dump.md. */
#include <string.h>

#include "format.h"
#include "format_ceph_priv.h"

#define KB 1024

struct sum {
	int64_t bytes, objects;
};

/* Counters that went wrong are negative in some clusters for a while. */
static const struct format_field sum_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_NUM_BYTES, sum, bytes, INT64_MIN, INT64_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_NUM_OBJECTS, sum, objects, INT64_MIN, INT64_MAX),
};
static const struct format_shape sum_shape = FORMAT_SHAPE("sum", sum_fields, true);

static bool read_sum(struct format_walk *walk, json_t *value, struct sum *sum)
{
	size_t mark = format_enter(walk, "stat_sum");
	bool good;

	*sum = (struct sum){0, 0};
	good = format_object(walk, value, &sum_shape, sum);
	if (good && (sum->bytes < 0 || sum->objects < 0))
		format_warn(walk, "a count below 0 is taken for 0");
	format_leave(walk, mark);
	return good;
}

static uint64_t count(int64_t number)
{
	return number > 0 ? (uint64_t)number : 0;
}

struct pg {
	const char *pgid, *state;
	json_t *sum;
};

static const struct format_field pg_fields[] = {
	FORMAT_REQUIRED(KEY_PGID, FORMAT_TEXT, pg, pgid),
	FORMAT_OPTIONAL(KEY_STATE, FORMAT_TEXT, pg, state),
	FORMAT_OPTIONAL(KEY_STAT_SUM, FORMAT_OBJECT, pg, sum),
};
static const struct format_shape pg_shape = FORMAT_SHAPE("PG", pg_fields, true);

/* Nobody has reported an unknown PG yet, so its zeros say nothing. */
static void read_pg(struct format_walk *walk, json_t *element, void *ctx)
{
	bool *has_sums = ctx;
	struct pg pg = {.state = ""};
	struct sum sum;
	strew_pg id;

	if (!format_object(walk, element, &pg_shape, &pg) ||
	    !format_pg(walk, "pgid", pg.pgid, &id) || pg.sum == NULL)
		return;
	*has_sums = true;
	if (read_sum(walk, pg.sum, &sum) && strcmp(pg.state, "unknown") != 0)
		strew_builder_set_pg_use(format_builder(walk), id, count(sum.bytes),
					 count(sum.objects));
}

static void read_pgs(struct format_walk *walk, json_t *pgs)
{
	bool has_sums = false;

	format_elements(walk, pgs, read_pg, &has_sums);
	if (!has_sums && json_array_size(pgs) > 0)
		format_warn(walk, "these PGs have no \"stat_sum\", so what they hold "
				  "isn't told; `ceph pg dump -f json` has it");
}

struct pool {
	int64_t id;
	json_t *sum;
};

static const struct format_field pool_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_POOLID, pool, id, 0, INT64_MAX),
	FORMAT_REQUIRED(KEY_STAT_SUM, FORMAT_OBJECT, pool, sum),
};
static const struct format_shape pool_shape = FORMAT_SHAPE("pool", pool_fields, true);

static void read_pool(struct format_walk *walk, json_t *element, void *ctx)
{
	struct pool pool;
	struct sum sum;

	(void)ctx;
	if (format_object(walk, element, &pool_shape, &pool) &&
	    read_sum(walk, pool.sum, &sum))
		strew_builder_set_pool_use(format_builder(walk), pool.id,
					   count(sum.bytes), count(sum.objects));
}

struct device {
	int64_t id, kb, kb_used;
};

static const struct format_field device_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_OSD, device, id, 0, STREW_DEVICE_ID_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_KB, device, kb, 0, INT64_MAX / KB),
	FORMAT_OPTIONAL_RANGE(KEY_KB_USED, device, kb_used, 0, INT64_MAX / KB),
};
static const struct format_shape device_shape =
	FORMAT_SHAPE("device", device_fields, true);

/* A device that has never reported has a size of 0. */
void format_ceph_capacity(struct format_walk *walk, int64_t device, int64_t kb,
			  int64_t kb_used)
{
	if (kb > 0)
		strew_builder_set_capacity(format_builder(walk), (int32_t)device,
					   (uint64_t)kb * KB, (uint64_t)kb_used * KB);
}

static void read_device(struct format_walk *walk, json_t *element, void *ctx)
{
	struct device device = {.kb = 0};

	(void)ctx;
	if (format_object(walk, element, &device_shape, &device))
		format_ceph_capacity(walk, device.id, device.kb, device.kb_used);
}

struct document {
	json_t *pgs, *pools, *devices;
};

static const struct format_field document_fields[] = {
	FORMAT_OPTIONAL(KEY_PG_STATS, FORMAT_LIST, document, pgs),
	FORMAT_OPTIONAL(KEY_POOL_STATS, FORMAT_LIST, document, pools),
	FORMAT_OPTIONAL(KEY_OSD_STATS, FORMAT_LIST, document, devices),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("PG dump", document_fields, true);

void format_ceph_stats(struct format_walk *walk, json_t *object)
{
	struct document document = {.pgs = NULL};
	size_t mark;

	format_object(walk, object, &document_shape, &document);
	mark = format_enter(walk, "pg_stats");
	read_pgs(walk, document.pgs);
	format_leave(walk, mark);
	format_list(walk, "pool_stats", document.pools, read_pool, NULL);
	format_list(walk, "osd_stats", document.devices, read_device, NULL);
}

/* The lists stand in "pg_map" (Nautilus and later), alone, or, of old, without any object
 * around them. */
static strew_status read_pg_dump(const struct format_input *input, strew_builder *builder,
				 strew_error *error)
{
	json_t *map = json_object_get(input->json, "pg_map");
	struct format_walk walk;
	size_t mark = 0;

	format_walk_init(&walk, builder, input->allocator);
	if (map)
		mark = format_enter(&walk, "pg_map");
	if (json_is_array(input->json))
		read_pgs(&walk, input->json);
	else
		format_ceph_stats(&walk, map ? map : input->json);
	if (map)
		format_leave(&walk, mark);
	return format_walk_end(&walk, error);
}

static int probe_pg_dump(const struct format_input *input)
{
	json_t *map = json_object_get(input->json, "pg_map");

	if (json_string_value(json_object_get(json_array_get(input->json, 0), "pgid")))
		return 80;
	if (map == NULL)
		map = input->json;
	for (size_t i = 0; i < document_shape.count; i++)
		if (json_is_array(json_object_get(
			    map, format_key_name(document_fields[i].key))))
			return 80;
	return 0;
}

const struct format_ops format_ceph_pg_dump = {
	.name = "ceph-pg-dump",
	.summary = "bytes and objects of PGs and pools (ceph pg dump -f json), joined to "
		   "a map",
	.flags = FORMAT_JOIN,
	.probe = probe_pg_dump,
	.read = read_pg_dump,
};
