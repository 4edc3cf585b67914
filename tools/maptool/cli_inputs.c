/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct cli_option options[] = {
	CLI_OPTION("pool", "NAME|ID", CLI_LIST, struct cli_inputs, pools,
		   "the PGs of this pool; may be repeated (default: all pools)"),
	CLI_OPTION("pg", "PGID", CLI_TEXT, struct cli_inputs, pg, "one PG, such as 1.2f"),
	CLI_OPTION("object", "NAME", CLI_LIST, struct cli_inputs, objects,
		   "an object of the pool; may be repeated"),
	CLI_OPTION("objects-from", "FILE", CLI_TEXT, struct cli_inputs, objects_from,
		   "objects, one name a line, optionally a tab and its bytes; - is "
		   "standard input"),
	CLI_OPTION("rule", "NAME|ID", CLI_TEXT, struct cli_inputs, rule,
		   "raw inputs of a rule, as crushtool --test does, in place of pools"),
	CLI_INTEGER_OPTION("size", "N", struct cli_inputs, size, 1, STREW_WANT_MAX,
			   "with --rule: how many devices to choose"),
	CLI_OPTION("inputs", "A-B", CLI_TEXT, struct cli_inputs, range,
		   "with --rule: which inputs (default: 0-1023)"),
	CLI_INTEGER_OPTION("x", "N", struct cli_inputs, x, 0, UINT32_MAX,
			   "with --rule: one input"),
	CLI_INTEGER_OPTION("pool-id", "P", struct cli_inputs, pool_id, INT64_MIN,
			   INT64_MAX, "with --rule: hash this pool id into each input"),
	CLI_OPTION("reweight", "DEVICE W", CLI_LIST, struct cli_inputs, reweights,
		   "a device's reweight from 0 to 1, in place of the map's; DEVICE is a "
		   "name, an id or a range such as 0-11; may be repeated"),
	CLI_OPTION("choose-args", "NAME|ID", CLI_TEXT, struct cli_inputs, choose_args,
		   "use this weight set, as for the pool of that id"),
};

struct cli_group cli_inputs_group(struct cli_inputs *inputs)
{
	return (struct cli_group){"Which inputs", options,
				  sizeof(options) / sizeof(options[0]), inputs};
}

static int names_objects(const struct cli_inputs *inputs)
{
	return inputs->objects.count > 0 || inputs->objects_from != NULL;
}

static int check_raw(const struct cli_inputs *inputs, const char *command)
{
	if (inputs->pools.count > 0 || inputs->pg != NULL || names_objects(inputs))
		return cli_usage_error(command,
				       "--rule places raw inputs, --pool, --pg and "
				       "--object what is in pools: one or the other");
	if (!inputs->size.given)
		return cli_usage_error(
			command, "--rule needs --size N, how many devices to choose");
	if (inputs->range != NULL && inputs->x.given)
		return cli_usage_error(command, "--inputs and --x exclude each other");
	return CLI_DONE;
}

static int check_pools(const struct cli_inputs *inputs, const char *command)
{
	const char *only_raw = inputs->size.given      ? "--size"
			       : inputs->range != NULL ? "--inputs"
			       : inputs->x.given       ? "--x"
			       : inputs->pool_id.given ? "--pool-id"
						       : NULL;

	if (only_raw != NULL)
		return cli_usage_error(command, "%s needs --rule", only_raw);
	if (inputs->pg != NULL && (inputs->pools.count > 0 || names_objects(inputs)))
		return cli_usage_error(command,
				       "--pg says all: no --pool or --object with it");
	if (names_objects(inputs) && inputs->pools.count > 1)
		return cli_usage_error(command,
				       "objects lie in one pool: give one --pool");
	return CLI_DONE;
}

int cli_reweights_check(const struct cli_list *list, const char *option,
			const char *command)
{
	double weight;
	size_t i;

	for (i = 0; i < list->count; i += 2)
		if (cli_parse_number(&weight, list->items[i + 1]) != 0 || weight < 0 ||
		    weight > 1)
			return cli_usage_error(
				command, "--%s %s takes a number from 0 to 1, not '%s'",
				option, list->items[i], list->items[i + 1]);
	return CLI_DONE;
}

int cli_inputs_check(const struct cli_inputs *inputs, const char *command)
{
	int code = inputs->rule != NULL ? check_raw(inputs, command)
					: check_pools(inputs, command);

	if (code != CLI_DONE)
		return code;
	return cli_reweights_check(&inputs->reweights, "reweight", command);
}

static int parse_range(strew_inputs *out, const char *text)
{
	const char *dash = strchr(text, '-');
	int64_t first, last;
	char head[24];

	if (dash == NULL)
		return -1;
	snprintf(head, sizeof(head), "%.*s", (int)(dash - text), text);
	if (cli_parse_integer(&first, head, 0, UINT32_MAX) != 0 ||
	    cli_parse_integer(&last, dash + 1, first, UINT32_MAX) != 0)
		return -1;
	out->first = (uint32_t)first;
	out->last = (uint32_t)last;
	return 0;
}

static int resolve_raw(struct cli_inputs *inputs, const char *command,
		       const strew_map *map)
{
	strew_inputs *out = &inputs->inputs;

	out->want = (int)inputs->size.value;
	out->hash_pool = inputs->pool_id.given;
	out->pool_id = inputs->pool_id.value;
	if (inputs->x.given)
		out->first = out->last = (uint32_t)inputs->x.value;
	if (inputs->range != NULL && parse_range(out, inputs->range) != 0)
		return cli_usage_error(command,
				       "--inputs takes a range of whole numbers such as "
				       "0-1023, not '%s'",
				       inputs->range);
	return cli_find_rule(&out->rule, map, inputs->rule);
}

static int resolve_pg(struct cli_inputs *inputs, const char *command,
		      const strew_map *map, const strew_map *other)
{
	strew_pg *pg = &inputs->one_pg;
	const strew_pool *pool;

	if (strew_pg_parse(pg, inputs->pg) != STREW_OK)
		return cli_usage_error(command,
				       "--pg takes a pool's id and a seed in "
				       "hexadecimal, such as 1.2f, not '%s'",
				       inputs->pg);
	pool = strew_map_pool_by_id(map, pg->pool);
	if (pool == NULL && other != NULL)
		pool = strew_map_pool_by_id(other, pg->pool);
	if (pool == NULL) {
		cli_error("--pg %s: the map has no pool %" PRId64, inputs->pg, pg->pool);
		return CLI_USAGE;
	}
	if (pg->seed >= strew_pool_pg_num(pool)) {
		cli_error("--pg %s: the PGs of pool '%s' are %" PRId64 ".0 to %" PRId64
			  ".%" PRIx32,
			  inputs->pg, strew_pool_name(pool), pg->pool, pg->pool,
			  strew_pool_pg_num(pool) - 1);
		return CLI_USAGE;
	}
	inputs->inputs.pg = pg;
	inputs->inputs.pools = &pg->pool;
	inputs->inputs.pool_count = 1;
	return CLI_DONE;
}

static int refuse_no_pools(const strew_map *map)
{
	char *rules = cli_list_rules(map);

	cli_error("the map has no pools: place inputs by --rule and --size (its rules: "
		  "%s), or --join the output of 'ceph osd dump -f json'",
		  rules[0] != '\0' ? rules : "none");
	free(rules);
	return CLI_USAGE;
}

static int resolve_pools(struct cli_inputs *inputs, const strew_map *map,
			 const strew_map *other)
{
	size_t count = inputs->pools.count;
	int code = CLI_DONE;
	size_t i;

	if (strew_map_pool_count(map) == 0 &&
	    (other == NULL || strew_map_pool_count(other) == 0))
		return refuse_no_pools(map);
	if (count == 0)
		return CLI_DONE;
	inputs->pool_ids = cli_resize(NULL, count, sizeof(inputs->pool_ids[0]));
	for (i = 0; i < count && code == CLI_DONE; i++)
		code = cli_find_pool(&inputs->pool_ids[i], map, other,
				     inputs->pools.items[i]);
	inputs->inputs.pools = inputs->pool_ids;
	inputs->inputs.pool_count = count;
	return code;
}

static int resolve_objects(struct cli_inputs *inputs, const strew_map *map)
{
	char *pools;

	if (inputs->pools.count == 1 || strew_map_pool_count(map) == 1)
		return cli_objects_read(inputs);
	pools = cli_list_pools(map);
	cli_error("objects lie in one pool: name it with --pool, one of %s", pools);
	free(pools);
	return CLI_USAGE;
}

int cli_inputs_resolve(struct cli_inputs *inputs, const char *command,
		       const strew_map *map, const strew_map *other)
{
	int code;

	inputs->inputs = (strew_inputs)STREW_INPUTS_INIT;
	if (inputs->rule != NULL)
		return resolve_raw(inputs, command, map);
	if (inputs->pg != NULL)
		return resolve_pg(inputs, command, map, other);
	code = resolve_pools(inputs, map, other);
	if (code == CLI_DONE && names_objects(inputs))
		code = resolve_objects(inputs, map);
	return code;
}

void cli_inputs_free(struct cli_inputs *inputs)
{
	free(inputs->pools.items);
	free(inputs->objects.items);
	free(inputs->reweights.items);
	free(inputs->pool_ids);
	free(inputs->named);
	free(inputs->names);
}
