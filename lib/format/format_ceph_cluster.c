/* SPDX-License-Identifier: MIT */
/* What `ceph osd dump -f json` says of a cluster, joined to its CRUSH map;
 * doc/formats/ceph-osd-dump.md. */
#include <string.h>

#include "format.h"
#include "format_ceph_priv.h"

struct document {
	int64_t epoch, max_osd;
	uint32_t full, backfillfull, nearfull;
	json_t *pools, *osds, *profiles;
	json_t *upmaps, *upmap_items, *upmap_primaries, *temps, *primary_temps;
};

static const struct format_field document_fields[] = {
	FORMAT_OPTIONAL_RANGE(KEY_EPOCH, document, epoch, 0, INT64_MAX),
	FORMAT_OPTIONAL(KEY_FULL_RATIO, FORMAT_SHARE, document, full),
	FORMAT_OPTIONAL(KEY_BACKFILLFULL_RATIO, FORMAT_SHARE, document, backfillfull),
	FORMAT_OPTIONAL(KEY_NEARFULL_RATIO, FORMAT_SHARE, document, nearfull),
	FORMAT_REQUIRED_RANGE(KEY_MAX_OSD, document, max_osd, 0, STREW_DEVICE_ID_MAX + 1),
	FORMAT_REQUIRED(KEY_POOLS, FORMAT_LIST, document, pools),
	FORMAT_REQUIRED(KEY_OSDS, FORMAT_LIST, document, osds),
	FORMAT_OPTIONAL(KEY_ERASURE_CODE_PROFILES, FORMAT_OBJECT, document, profiles),
	FORMAT_OPTIONAL(KEY_PG_UPMAP, FORMAT_LIST, document, upmaps),
	FORMAT_OPTIONAL(KEY_PG_UPMAP_ITEMS, FORMAT_LIST, document, upmap_items),
	FORMAT_OPTIONAL(KEY_PG_UPMAP_PRIMARIES, FORMAT_LIST, document, upmap_primaries),
	FORMAT_OPTIONAL(KEY_PG_TEMP, FORMAT_LIST, document, temps),
	FORMAT_OPTIONAL(KEY_PRIMARY_TEMP, FORMAT_LIST, document, primary_temps),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("OSD dump", document_fields, true);

struct device {
	int64_t id, up;
	uint32_t weight, primary_affinity;
	json_t *state;
};

static const struct format_field device_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_OSD, device, id, 0, STREW_DEVICE_ID_MAX),
	FORMAT_REQUIRED_RANGE(KEY_UP, device, up, 0, 1),
	FORMAT_REQUIRED(KEY_WEIGHT, FORMAT_SHARE, device, weight),
	FORMAT_OPTIONAL(KEY_PRIMARY_AFFINITY, FORMAT_SHARE, device, primary_affinity),
	FORMAT_OPTIONAL(KEY_STATE, FORMAT_LIST, device, state),
};
static const struct format_shape device_shape =
	FORMAT_SHAPE("device", device_fields, true);

static bool list_has(json_t *list, const char *word)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (text && strcmp(text, word) == 0)
			return true;
	}
	return false;
}

static void read_device(struct format_walk *walk, json_t *element, void *ctx)
{
	struct device device = {.primary_affinity = STREW_WEIGHT_ONE};
	strew_builder *builder;
	int32_t id;
	bool exists;

	(void)ctx;
	if (!format_object(walk, element, &device_shape, &device))
		return;
	builder = format_builder(walk);
	id = (int32_t)device.id;
	exists = device.state == NULL || list_has(device.state, "exists");
	strew_builder_set_state(builder, id, exists, exists && device.up);
	strew_builder_set_reweight(builder, id, device.weight);
	strew_builder_set_primary_affinity(builder, id, device.primary_affinity);
}

struct pool {
	int64_t id, kind, size, min_size, rule, flags, object_hash, pg_num, pgp_num;
	const char *name, *flags_names, *profile;
};

static const struct format_field pool_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_POOL, pool, id, 0, INT64_MAX),
	FORMAT_REQUIRED(KEY_POOL_NAME, FORMAT_TEXT, pool, name),
	FORMAT_REQUIRED_RANGE(KEY_TYPE, pool, kind, 0, 255),
	FORMAT_REQUIRED_RANGE(KEY_SIZE, pool, size, 0, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MIN_SIZE, pool, min_size, 0, 255),
	FORMAT_REQUIRED_RANGE(KEY_CRUSH_RULE, pool, rule, 0, INT32_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_FLAGS, pool, flags, 0, INT64_MAX),
	FORMAT_OPTIONAL(KEY_FLAGS_NAMES, FORMAT_TEXT, pool, flags_names),
	FORMAT_OPTIONAL_RANGE(KEY_OBJECT_HASH, pool, object_hash, 0, 255),
	FORMAT_REQUIRED_RANGE(KEY_PG_NUM, pool, pg_num, 0, UINT32_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_PG_PLACEMENT_NUM, pool, pgp_num, 0, UINT32_MAX),
	FORMAT_OPTIONAL(KEY_ERASURE_CODE_PROFILE, FORMAT_TEXT, pool, profile),
};
static const struct format_shape pool_shape = FORMAT_SHAPE("pool", pool_fields, true);

#define FLAG_HASHPSPOOL 1

/* Is a word in a list that is separated by commas? */
static bool names_have(const char *names, const char *word)
{
	size_t len = strlen(word);

	while (names) {
		size_t piece = strcspn(names, ",");

		if (piece == len && memcmp(names, word, len) == 0)
			return true;
		names = names[piece] ? names + piece + 1 : NULL;
	}
	return false;
}

/* The number, the names, or nothing: pools have had the flag for many years. */
static bool is_hashpspool(const struct pool *pool)
{
	if (pool->flags >= 0)
		return (pool->flags & FLAG_HASHPSPOOL) != 0;
	return pool->flags_names == NULL || names_have(pool->flags_names, "hashpspool");
}

static bool accept_kind(struct format_walk *walk, int64_t kind)
{
	if (kind == STREW_KIND_REPLICATED || kind == STREW_KIND_ERASURE)
		return true;
	format_fault(walk, "the type of a pool is 1 (replicated) or 3 (erasure), not %d",
		     (int)kind);
	return false;
}

static void read_pool(struct format_walk *walk, json_t *element, void *ctx)
{
	struct pool pool = {.id = -1, .flags = -1, .object_hash = STREW_HASH_RJENKINS};
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	(void)ctx;
	if (!format_object(walk, element, &pool_shape, &pool) ||
	    !accept_kind(walk, pool.kind)) {
		format_refuse_pool(walk, pool.id, pool.name);
		return;
	}
	desc.id = pool.id;
	desc.name = pool.name;
	desc.kind = (strew_kind)pool.kind;
	desc.size = (int)pool.size;
	desc.min_size = (int)pool.min_size;
	if (desc.kind == STREW_KIND_ERASURE)
		desc.erasure_profile = pool.profile;
	desc.pg_num = (uint32_t)pool.pg_num;
	desc.pgp_num = (uint32_t)pool.pgp_num;
	desc.rule = (int32_t)pool.rule;
	desc.hashpspool = is_hashpspool(&pool);
	desc.object_hash = (int)pool.object_hash;
	strew_builder_add_pool(format_builder(walk), &desc);
}

struct override {
	const char *pg;
	int64_t device;
	json_t *list;
};

#define OVERRIDE_PG          FORMAT_REQUIRED(KEY_PGID, FORMAT_TEXT, override, pg)
#define OVERRIDE_LIST(key)   FORMAT_REQUIRED(key, FORMAT_LIST, override, list)
#define OVERRIDE_DEVICE(key) FORMAT_REQUIRED_RANGE(key, override, device, 0, INT32_MAX)

static const struct format_field set_fields[] = {OVERRIDE_PG, OVERRIDE_LIST(KEY_OSDS)};
static const struct format_shape set_shape = FORMAT_SHAPE("PG's set", set_fields, true);
static const struct format_field mapping_fields[] = {OVERRIDE_PG,
						     OVERRIDE_LIST(KEY_MAPPINGS)};
static const struct format_shape mapping_shape =
	FORMAT_SHAPE("PG's upmap", mapping_fields, true);
static const struct format_field primary_fields[] = {OVERRIDE_PG,
						     OVERRIDE_DEVICE(KEY_PRIMARY_OSD)};
static const struct format_shape primary_shape =
	FORMAT_SHAPE("PG's primary", primary_fields, true);
static const struct format_field primary_temp_fields[] = {OVERRIDE_PG,
							  OVERRIDE_DEVICE(KEY_OSD)};
static const struct format_shape primary_temp_shape =
	FORMAT_SHAPE("PG's primary", primary_temp_fields, true);

static bool read_override(struct format_walk *walk, json_t *element,
			  const struct format_shape *shape, struct override *override,
			  strew_pg *pg)
{
	return format_object(walk, element, shape, override) &&
	       format_pg(walk, "pgid", override->pg, pg);
}

static void read_upmap(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override upmap;
	strew_pg pg;

	(void)ctx;
	if (read_override(walk, element, &set_shape, &upmap, &pg))
		format_set(walk, "osds", upmap.list, pg, strew_builder_add_upmap);
}

static void read_temp(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override temp;
	strew_pg pg;

	(void)ctx;
	if (read_override(walk, element, &set_shape, &temp, &pg))
		format_set(walk, "osds", temp.list, pg, strew_builder_add_pg_temp);
}

struct pair {
	int64_t from, to;
};

static const struct format_field pair_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_FROM, pair, from, 0, INT32_MAX),
	FORMAT_REQUIRED_RANGE(KEY_TO, pair, to, 0, INT32_MAX),
};
static const struct format_shape pair_shape = FORMAT_SHAPE("mapping", pair_fields, true);

static void read_pair(struct format_walk *walk, json_t *element, void *ctx)
{
	const strew_pg *pg = ctx;
	struct pair pair;

	if (format_object(walk, element, &pair_shape, &pair))
		strew_builder_add_upmap_item(format_builder(walk), *pg,
					     (int32_t)pair.from, (int32_t)pair.to);
}

static void read_upmap_items(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override upmap;
	strew_pg pg;

	(void)ctx;
	if (read_override(walk, element, &mapping_shape, &upmap, &pg))
		format_list(walk, "mappings", upmap.list, read_pair, &pg);
}

static void read_upmap_primary(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override upmap;
	strew_pg pg;

	(void)ctx;
	if (read_override(walk, element, &primary_shape, &upmap, &pg))
		strew_builder_set_upmap_primary(format_builder(walk), pg,
						(int32_t)upmap.device);
}

static void read_primary_temp(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override temp;
	strew_pg pg;

	(void)ctx;
	if (read_override(walk, element, &primary_temp_shape, &temp, &pg))
		strew_builder_set_primary_temp(format_builder(walk), pg,
					       (int32_t)temp.device);
}

/* 16.2 prints "1.2f", 7, "1.30", 9, …: a PG, then its device. */
static void read_flat_primary_temps(struct format_walk *walk, json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i += 2) {
		size_t mark = format_enter_at(walk, i);
		const char *text = NULL;
		int64_t device = 0;
		strew_pg pg;
		bool good = format_text(walk, json_array_get(list, i), &text);

		if (good && strew_pg_parse(&pg, text) != STREW_OK) {
			format_fault(walk, "\"%s\" is not a placement group", text);
			good = false;
		}
		format_leave(walk, mark);
		mark = format_enter_at(walk, i + 1);
		if (format_integer(walk, json_array_get(list, i + 1), 0, INT32_MAX,
				   &device) &&
		    good)
			strew_builder_set_primary_temp(format_builder(walk), pg,
						       (int32_t)device);
		format_leave(walk, mark);
	}
}

static void read_primary_temps(struct format_walk *walk, json_t *list)
{
	size_t mark = format_enter(walk, "primary_temp");

	if (json_is_string(json_array_get(list, 0)))
		read_flat_primary_temps(walk, list);
	else
		format_elements(walk, list, read_primary_temp, NULL);
	format_leave(walk, mark);
}

static void read_document(struct format_walk *walk, const struct document *document)
{
	if (document->epoch >= 0)
		strew_builder_set_epoch(format_builder(walk), document->epoch);
	map_set_ratio(format_builder(walk), MAP_FULL, document->full);
	map_set_ratio(format_builder(walk), MAP_BACKFILLFULL, document->backfillfull);
	map_set_ratio(format_builder(walk), MAP_NEARFULL, document->nearfull);
	/* First: from here on a device that isn't listed does not exist. */
	if (document->max_osd >= 0)
		strew_builder_set_device_limit(format_builder(walk),
					       (int32_t)document->max_osd);
	format_list(walk, "osds", document->osds, read_device, NULL);
	format_need_list(walk, document->pools, MAP_POOLS);
	format_profiles(walk, "erasure_code_profiles", document->profiles);
	format_list(walk, "pools", document->pools, read_pool, NULL);
	format_list(walk, "pg_upmap", document->upmaps, read_upmap, NULL);
	format_list(walk, "pg_upmap_items", document->upmap_items, read_upmap_items,
		    NULL);
	format_list(walk, "pg_upmap_primaries", document->upmap_primaries,
		    read_upmap_primary, NULL);
	format_list(walk, "pg_temp", document->temps, read_temp, NULL);
	read_primary_temps(walk, document->primary_temps);
}

void format_ceph_cluster(struct format_walk *walk, json_t *dump)
{
	struct document document = {.epoch = -1, .max_osd = -1};

	format_object(walk, dump, &document_shape, &document);
	read_document(walk, &document);
}

static strew_status read_osd_dump(const struct format_input *input,
				  strew_builder *builder, strew_error *error)
{
	struct format_walk walk;

	format_walk_init(&walk, builder, input->allocator);
	format_ceph_cluster(&walk, input->json);
	return format_walk_end(&walk, error);
}

static int probe_osd_dump(const struct format_input *input)
{
	int score = 0;

	if (!json_is_array(json_object_get(input->json, "osds")))
		return 0;
	if (json_is_integer(json_object_get(input->json, "max_osd")))
		score += 60;
	if (json_is_array(json_object_get(input->json, "pools")))
		score += 30;
	return score;
}

const struct format_ops format_ceph_osd_dump = {
	.name = "ceph-osd-dump",
	.summary = "pools, device states and overrides (ceph osd dump -f json), joined "
		   "to a map",
	.flags = FORMAT_JOIN,
	.probe = probe_osd_dump,
	.read = read_osd_dump,
};
