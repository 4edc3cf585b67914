/* SPDX-License-Identifier: MIT */
/* What the cluster keeps beside its CRUSH map: devices' weights, pools and upmaps. */
#include <stdio.h>
#include <string.h>

#include "format_ceph_commands.h"

/* Devices on one line. */
#define GROUP_MAX 64

/* A map without pools was read from CRUSH alone, and tells nothing of the rest. */
static bool tells_cluster(const struct format_commands *commands)
{
	return commands->before.map->pool_count > 0 &&
	       commands->after.map->pool_count > 0;
}

static bool goes_to(const struct format_commands *commands, const strew_device *device,
		    uint32_t reweight)
{
	const strew_device *was =
		strew_map_device_by_id(commands->before.map, device->id);

	return was && was->reweight != device->reweight && device->reweight == reweight;
}

static void put_group(struct format_commands *commands, const char *verb,
		      uint32_t reweight)
{
	const strew_map *after = commands->after.map;
	struct base_str *text = &commands->texts[FORMAT_CLUSTER];
	size_t count = 0;

	for (size_t i = 0; i < after->device_count; i++) {
		if (!goes_to(commands, &after->devices[i], reweight))
			continue;
		if (count++ % GROUP_MAX == 0)
			base_str_addf(text, "%sceph osd %s", count > 1 ? "\n" : "", verb);
		base_str_addf(text, " osd.%d", (int)after->devices[i].id);
	}
	base_str_add(text, count > 0 ? "\n" : "");
}

static void change_device(struct format_commands *commands, const strew_device *was,
			  const strew_device *is)
{
	if (was->reweight != is->reweight && is->reweight != 0 &&
	    is->reweight != STREW_WEIGHT_ONE)
		format_command(commands, FORMAT_CLUSTER, "osd reweight osd.%d %s",
			       (int)is->id, format_fixed(is->reweight).text);
	if (was->primary_affinity != is->primary_affinity)
		format_command(commands, FORMAT_CLUSTER, "osd primary-affinity osd.%d %s",
			       (int)is->id, format_fixed(is->primary_affinity).text);
}

void format_commands_devices(struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;

	if (!tells_cluster(commands)) {
		if (before->pool_count != after->pool_count)
			format_command_lose(commands,
					    "pools, and what is known of devices, for "
					    "one of the maps has none of it");
		return;
	}
	put_group(commands, "in", STREW_WEIGHT_ONE);
	put_group(commands, "out", 0);
	for (size_t i = 0; i < after->device_count; i++) {
		const strew_device *is = &after->devices[i];
		const strew_device *was = strew_map_device_by_id(before, is->id);

		if (was)
			change_device(commands, was, is);
	}
}

static const char *rule_name(const strew_map *map, int32_t id)
{
	const struct map_rule *rule = map_rule_by_id(map, id);

	return rule ? rule->name : "";
}

static void set_number(struct format_commands *commands, const struct format_quoted *pool,
		       const char *key, uint32_t was, uint32_t is)
{
	if (was == is)
		return;
	format_command(
		commands, FORMAT_CLUSTER, "osd pool set %s %s %u%s", pool->text, key, is,
		is == 1 && strcmp(key, "size") == 0 ? " --yes-i-really-mean-it" : "");
}

static void check_pool(struct format_commands *commands, const strew_pool *was,
		       const strew_pool *is)
{
	if (was->kind != is->kind || (is->kind == STREW_KIND_ERASURE &&
				      (was->size != is->size || was->k != is->k)))
		format_command_lose(commands, "the kind and shards of pool %s", is->name);
	if (was->object_hash != is->object_hash)
		format_command_lose(commands, "the object hash of pool %s", is->name);
}

static void change_pool(struct format_commands *commands, const strew_pool *was,
			const strew_pool *is)
{
	struct format_quoted name = format_quote(commands, is->name), old;

	check_pool(commands, was, is);
	if (strcmp(was->name, is->name) != 0) {
		old = format_quote(commands, was->name);
		format_command(commands, FORMAT_CLUSTER, "osd pool rename %s %s",
			       old.text, name.text);
	}
	if (was->rule != is->rule)
		format_command(commands, FORMAT_CLUSTER, "osd pool set %s crush_rule %s",
			       name.text,
			       format_quote_name(commands,
						 rule_name(commands->after.map, is->rule))
				       .text);
	if (is->kind == STREW_KIND_REPLICATED)
		set_number(commands, &name, "size", (uint32_t)was->size,
			   (uint32_t)is->size);
	set_number(commands, &name, "min_size", (uint32_t)was->min_size,
		   (uint32_t)is->min_size);
	set_number(commands, &name, "pg_num", was->pg_num, is->pg_num);
	set_number(commands, &name, "pgp_num", was->pgp_num, is->pgp_num);
	if (was->hashpspool != is->hashpspool)
		format_command(commands, FORMAT_CLUSTER,
			       "osd pool set %s hashpspool %s --yes-i-really-mean-it",
			       name.text, is->hashpspool ? "true" : "false");
}

static const struct map_profile *find_profile(const strew_map *map, const char *name)
{
	for (size_t i = 0; i < map->profile_count; i++)
		if (strcmp(map->profiles[i].name, name) == 0)
			return &map->profiles[i];
	return NULL;
}

/* The profile that the pool names, unless the cluster has it already. */
static void make_profile(struct format_commands *commands, const strew_pool *pool,
			 const char *name)
{
	const struct map_profile *profile = find_profile(commands->after.map, name);
	struct base_str *text = &commands->texts[FORMAT_CLUSTER];

	if (find_profile(commands->before.map, name))
		return;
	base_str_addf(text, "ceph osd erasure-code-profile set %s",
		      format_quote_name(commands, name).text);
	if (profile == NULL)
		base_str_addf(text, " k=%d m=%d", pool->k, pool->size - pool->k);
	for (size_t i = 0; profile && i < profile->count; i++)
		base_str_addf(text, " %s=%s",
			      format_quote(commands, profile->parameters[i].key).text,
			      format_quote(commands, profile->parameters[i].value).text);
	base_str_add(text, "\n");
}

static void make_erasure_pool(struct format_commands *commands, const strew_pool *pool,
			      const char *name, const char *rule)
{
	char usual[40];
	const char *profile = pool->profile;

	snprintf(usual, sizeof(usual), "k%d-m%d", pool->k, pool->size - pool->k);
	if (profile[0] == '\0')
		profile = usual;
	make_profile(commands, pool, profile);
	format_command(commands, FORMAT_CLUSTER, "osd pool create %s %u %u erasure %s %s",
		       name, pool->pg_num, pool->pgp_num,
		       format_quote_name(commands, profile).text, rule);
}

static void make_pool(struct format_commands *commands, const strew_pool *pool)
{
	struct format_quoted name = format_quote(commands, pool->name);
	struct format_quoted rule =
		format_quote_name(commands, rule_name(commands->after.map, pool->rule));

	if (pool->kind == STREW_KIND_ERASURE) {
		if (pool->k <= 0 || pool->k >= pool->size) {
			format_command_lose(commands,
					    "the erasure pool %s, whose data shards "
					    "aren't known",
					    pool->name);
			return;
		}
		make_erasure_pool(commands, pool, name.text, rule.text);
	} else {
		format_command(commands, FORMAT_CLUSTER,
			       "osd pool create %s %u %u replicated %s", name.text,
			       pool->pg_num, pool->pgp_num, rule.text);
		format_command(commands, FORMAT_CLUSTER, "osd pool set %s size %d%s",
			       name.text, pool->size,
			       pool->size == 1 ? " --yes-i-really-mean-it" : "");
	}
	format_command(commands, FORMAT_CLUSTER, "osd pool set %s min_size %d", name.text,
		       pool->min_size);
}

/* Removing a pool destroys what is in it. That is for a person to type. */
static void tell_lost_pools(struct format_commands *commands)
{
	const strew_map *before = commands->before.map;

	for (size_t i = 0; i < before->pool_count; i++)
		if (strew_map_pool_by_id(commands->after.map, before->pools[i].id) ==
		    NULL)
			format_command_lose(
				commands,
				"that pool %s goes, for its data would go too "
				"(ceph osd pool rm)",
				before->pools[i].name);
}

void format_commands_pools(struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;
	int64_t last;

	if (!tells_cluster(commands))
		return;
	last = before->pools[before->pool_count - 1].id;
	for (size_t i = 0; i < after->pool_count; i++) {
		const strew_pool *is = &after->pools[i];
		const strew_pool *was = strew_map_pool_by_id(before, is->id);

		if (was) {
			change_pool(commands, was, is);
			continue;
		}
		if (is->id != ++last)
			format_command_lose(commands,
					    "the id %lld of pool %s, and so where its "
					    "data lies",
					    (long long)is->id, is->name);
		make_pool(commands, is);
	}
	tell_lost_pools(commands);
}

static int compare_pgs(strew_pg a, strew_pg b)
{
	if (a.pool != b.pool)
		return a.pool < b.pool ? -1 : 1;
	return a.seed < b.seed ? -1 : a.seed > b.seed;
}

static bool is_same_list(const int32_t *a, size_t count, const int32_t *b, size_t other)
{
	return count == other && (count == 0 || memcmp(a, b, count * sizeof(*a)) == 0);
}

static void put_list(struct format_commands *commands, const char *verb, strew_pg pg,
		     const int32_t *devices, size_t count)
{
	struct base_str *text = &commands->texts[FORMAT_CLUSTER];

	base_str_addf(text, "ceph osd %s%s %lld.%x", count > 0 ? "" : "rm-", verb,
		      (long long)pg.pool, (unsigned)pg.seed);
	for (size_t i = 0; i < count; i++)
		base_str_addf(text, " %d", (int)devices[i]);
	base_str_add(text, "\n");
}

static void change_override(struct format_commands *commands,
			    const struct map_override *was, const struct map_override *is)
{
	if (!is_same_list(was->upmap, was->upmap_count, is->upmap, is->upmap_count))
		put_list(commands, "pg-upmap", is->pg, is->upmap, is->upmap_count);
	if (!is_same_list(was->upmap_items, 2 * was->upmap_item_count, is->upmap_items,
			  2 * is->upmap_item_count))
		put_list(commands, "pg-upmap-items", is->pg, is->upmap_items,
			 2 * is->upmap_item_count);
	if (was->upmap_primary != is->upmap_primary)
		put_list(commands, "pg-upmap-primary", is->pg, &is->upmap_primary,
			 is->upmap_primary != STREW_NONE);
}

/* Temporary sets are the cluster's own affair, and not compared. */
void format_commands_overrides(struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;
	size_t i = 0, j = 0;

	while (tells_cluster(commands) &&
	       (i < before->override_count || j < after->override_count)) {
		struct map_override none = {.upmap_primary = STREW_NONE};
		const struct map_override *was = &none, *is = &none;
		int order = i == before->override_count ? 1
			    : j == after->override_count
				    ? -1
				    : compare_pgs(before->overrides[i].pg,
						  after->overrides[j].pg);

		if (order <= 0)
			was = &before->overrides[i++];
		if (order >= 0)
			is = &after->overrides[j++];
		none.pg = order < 0 ? was->pg : is->pg;
		if (strew_map_pool_by_id(after, none.pg.pool))
			change_override(commands, was, is);
	}
}
