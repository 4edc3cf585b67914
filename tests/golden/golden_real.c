/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* More than any set of the cluster. */
#define ROOM 16

/** The cluster twice: with its pool joined, and with its reweights only,
 * for raw inputs. */
struct cluster {
	strew_placer *pools;
	strew_placer *raw;
	strew_scratch *scratch;
	int64_t pool;
	int32_t rule;
	int size;
	struct golden_tally *tally;
};

/** The map of the tree alone, with the reweights of the pool's description. */
static strew_map *reweighted(const char *path, json_t *facts)
{
	strew_builder *builder;
	strew_map *map;
	strew_error error = {0};
	const char *device;
	json_t *value;

	golden_need(strew_builder_new(&builder, NULL), path, NULL);
	golden_need(strew_builder_read_file(builder, path, NULL, &error), path, &error);
	json_object_foreach(json_object_get(facts, "reweight"), device, value)
		strew_builder_set_reweight(
			builder, atoi(device),
			(uint32_t)lround(json_number_value(value) * STREW_WEIGHT_ONE));
	golden_need(strew_builder_build(&map, builder, &error), path, &error);
	strew_builder_free(builder);
	return map;
}

static void compare_pg(char *line, void *ctx)
{
	const struct cluster *cluster = ctx;
	char *id = strsep(&line, "\t");
	char *up = strsep(&line, "\t");
	strew_stages stages = {0};
	int32_t expected[ROOM];
	int32_t got[ROOM];
	strew_pg pg;
	int expected_count;
	int count;

	/* The first line names the columns. */
	if (up == NULL || strew_pg_parse(&pg, id) != STREW_OK)
		return;
	expected_count = golden_parse_set(expected, ROOM, up);
	stages.up = (strew_set){.devices = got, .room = ROOM};
	golden_need(strew_place_pg(cluster->pools, pg, &stages, cluster->scratch), id,
		    NULL);
	golden_compare(cluster->tally, id, expected, expected_count, got,
		       stages.up.count);
	count = strew_place(cluster->raw, cluster->rule,
			    strew_pool_input(pg.seed, pg.pool), got, cluster->size,
			    cluster->scratch);
	golden_compare(cluster->tally, id, expected, expected_count, got, count);
}

static void read_facts(struct cluster *cluster, json_t *facts, const char *path)
{
	json_int_t pool;
	int rule;

	if (json_unpack(facts, "{s:I s:i s:i}", "pool", &pool, "size", &cluster->size,
			"rule", &rule) != 0 ||
	    cluster->size < 1 || cluster->size > ROOM)
		golden_stop("%s: not what was expected", path);
	cluster->pool = pool;
	cluster->rule = rule;
}

static void compare_cluster(const char *folder, const char *name,
			    struct golden_tally *tally)
{
	char *crush = golden_path(folder, name, ".crush.json");
	char *dump = golden_path(folder, name, ".osd-dump.json");
	char *pool = golden_path(folder, name, ".pool.json");
	char *up = golden_path(folder, name, ".up.tsv");
	json_t *facts = json_load_file(pool, 0, NULL);
	strew_map *joined = golden_read_map(crush, dump);
	strew_map *tree = reweighted(crush, facts);
	struct cluster cluster = {.pools = golden_placer(joined),
				  .raw = golden_placer(tree),
				  .tally = tally};

	read_facts(&cluster, facts, pool);
	cluster.scratch = golden_scratch(cluster.pools);
	golden_each_line(up, compare_pg, &cluster);
	strew_scratch_free(cluster.scratch);
	strew_placer_release(cluster.pools);
	strew_placer_release(cluster.raw);
	strew_map_release(joined);
	strew_map_release(tree);
	json_decref(facts);
	free(crush);
	free(dump);
	free(pool);
	free(up);
}

void golden_real(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".up.tsv", compare_cluster, tally);
}
