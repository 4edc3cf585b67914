/* SPDX-License-Identifier: MIT */
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

const struct cli_group cli_inputs_group = CLI_GROUP("Which inputs", options);

static int names_objects(const struct cli_inputs *inputs)
{
	return inputs->objects.count > 0 || inputs->objects_from != NULL;
}

static int parse_inputs(struct cli_inputs *inputs)
{
	int64_t first = inputs->x.value;
	int64_t last = first;

	if (inputs->range != NULL &&
	    cli_parse_range(&first, &last, inputs->range, UINT32_MAX) != 0)
		return cli_usage_error("--inputs takes a range of whole numbers such as "
				       "0-1023, not '%s'",
				       inputs->range);
	if (inputs->range != NULL || inputs->x.given) {
		inputs->inputs.first = (uint32_t)first;
		inputs->inputs.last = (uint32_t)last;
	}
	return CLI_DONE;
}

static int check_raw(struct cli_inputs *inputs)
{
	if (inputs->pools.count > 0 || inputs->pg != NULL || names_objects(inputs))
		return cli_usage_error("--rule places raw inputs, --pool, --pg and "
				       "--object what is in pools: one or the other");
	if (!inputs->size.given)
		return cli_usage_error(
			"--rule needs --size N, how many devices to choose");
	if (inputs->range != NULL && inputs->x.given)
		return cli_usage_error("--inputs and --x exclude each other");
	inputs->inputs.want = (int)inputs->size.value;
	inputs->inputs.hash_pool = inputs->pool_id.given;
	inputs->inputs.pool_id = inputs->pool_id.value;
	return parse_inputs(inputs);
}

static int parse_pg(struct cli_inputs *inputs)
{
	if (inputs->pools.count > 0 || names_objects(inputs))
		return cli_usage_error("--pg says all: no --pool or --object with it");
	if (strew_pg_parse(&inputs->one_pg, inputs->pg) != STREW_OK)
		return cli_usage_error("--pg takes a pool's id and a seed in "
				       "hexadecimal, such as 1.2f, not '%s'",
				       inputs->pg);
	inputs->inputs.pg = &inputs->one_pg;
	return CLI_DONE;
}

static int check_pools(struct cli_inputs *inputs)
{
	const char *only_raw = inputs->size.given      ? "--size"
			       : inputs->range != NULL ? "--inputs"
			       : inputs->x.given       ? "--x"
			       : inputs->pool_id.given ? "--pool-id"
						       : NULL;

	if (only_raw != NULL)
		return cli_usage_error("%s needs --rule", only_raw);
	if (names_objects(inputs) && inputs->pools.count > 1)
		return cli_usage_error("objects lie in one pool: give one --pool");
	return inputs->pg != NULL ? parse_pg(inputs) : CLI_DONE;
}

int cli_reweights_check(const struct cli_list *list, const char *option)
{
	double weight;
	size_t i;

	for (i = 0; i < list->count; i += 2)
		if (cli_parse_number(&weight, list->items[i + 1]) != 0 || weight < 0 ||
		    weight > 1)
			return cli_usage_error(
				"--%s %s takes a number from 0 to 1, not '%s'", option,
				list->items[i], list->items[i + 1]);
	return CLI_DONE;
}

int cli_inputs_check(struct cli_inputs *inputs)
{
	int code;

	inputs->inputs = (strew_inputs)STREW_INPUTS_INIT;
	code = inputs->rule != NULL ? check_raw(inputs) : check_pools(inputs);
	if (code != CLI_DONE)
		return code;
	return cli_reweights_check(&inputs->reweights, "reweight");
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

	inputs->pool_ids = cli_resize(NULL, count, sizeof(inputs->pool_ids[0]));
	for (i = 0; i < count && code == CLI_DONE; i++)
		code = cli_find_pool(&inputs->pool_ids[i], map, other,
				     inputs->pools.items[i]);
	inputs->inputs.pools = inputs->pool_ids;
	inputs->inputs.pool_count = count;
	return code;
}

int cli_inputs_resolve(struct cli_inputs *inputs, const strew_map *map,
		       const strew_map *other)
{
	int code = CLI_DONE;

	if (inputs->rule != NULL)
		return cli_find_rule(&inputs->inputs.rule, map, inputs->rule);
	if (strew_map_pool_count(map) == 0 &&
	    (other == NULL || strew_map_pool_count(other) == 0))
		return refuse_no_pools(map);
	if (inputs->pools.count > 0)
		code = resolve_pools(inputs, map, other);
	if (code == CLI_DONE && names_objects(inputs))
		code = cli_objects_read(inputs);
	return code;
}

void cli_inputs_free(struct cli_inputs *inputs)
{
	free(inputs->pool_ids);
	free(inputs->named);
	free(inputs->names);
}
