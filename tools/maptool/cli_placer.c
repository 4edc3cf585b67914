/* SPDX-License-Identifier: MIT */
#include "cli.h"

static void set_reweights(strew_builder *builder, const strew_map *map,
			  const struct cli_devices *range, uint32_t reweight)
{
	size_t count = strew_map_device_count(map);
	size_t i;

	for (i = 0; i < count; i++) {
		int32_t id = strew_device_id(strew_map_device_at(map, i));

		if (id >= range->first && id <= range->last)
			strew_builder_set_reweight(builder, id, reweight);
	}
}

static int apply_reweight(strew_builder *builder, const strew_map *map,
			  const strew_map *other, const char *const *words)
{
	struct cli_devices range;
	double weight = 0;

	if (cli_find_devices(&range, map, words[0])) {
		/* cli_inputs_check() has seen that it is a number from 0 to 1. */
		cli_parse_number(&weight, words[1]);
		set_reweights(builder, map, &range,
			      (uint32_t)(weight * STREW_WEIGHT_ONE + 0.5));
		return CLI_DONE;
	}
	if (other != NULL && cli_find_devices(&range, other, words[0]))
		return CLI_DONE;
	cli_error("the map has no device '%s'", words[0]);
	return CLI_USAGE;
}

static int apply_reweights(strew_builder *builder, const strew_map *map,
			   const strew_map *other, const struct cli_list *reweights)
{
	int code = CLI_DONE;
	size_t i;

	for (i = 0; i < reweights->count && code == CLI_DONE; i += 2)
		code = apply_reweight(builder, map, other, &reweights->items[i]);
	return code;
}

static int reweighted_map(strew_map **out, const struct cli_list *reweights,
			  const struct cli_list *more, const strew_map *map,
			  const strew_map *other)
{
	strew_builder *builder = NULL;
	strew_error error = {.status = STREW_ENOMEM};
	int code;

	if (strew_builder_from_map(&builder, map) != STREW_OK)
		return cli_report_error(&error);
	code = apply_reweights(builder, map, other, reweights);
	if (code == CLI_DONE && more != NULL)
		code = apply_reweights(builder, map, NULL, more);
	if (code == CLI_DONE && strew_builder_build(out, builder, &error) != STREW_OK)
		code = cli_report_error(&error);
	strew_builder_free(builder);
	return code;
}

/* A number that is no set's name or id is the id of a pool without a set of its own. */
static int choose_weight_set(strew_placer_options *how, const char *name,
			     const strew_map *map, const strew_map *other)
{
	how->force_weight_set = 1;
	if (strew_map_find_weight_set(&how->weight_set, map, name) == STREW_OK)
		return CLI_DONE;
	if (other != NULL &&
	    strew_map_find_weight_set(&how->weight_set, other, name) == STREW_OK)
		return CLI_DONE;
	if (cli_parse_integer(&how->weight_set, name, -1, INT64_MAX) == 0)
		return CLI_DONE;
	cli_error("the map has no weight set '%s'", name);
	return CLI_USAGE;
}

int cli_inputs_placer(strew_placer **out, const struct cli_inputs *inputs,
		      const struct cli_list *reweights, const strew_map *map,
		      const strew_map *other, const char *kernel)
{
	strew_placer_options how = STREW_PLACER_OPTIONS_INIT;
	strew_map *changed = NULL;
	strew_error error;
	int code = CLI_DONE;

	how.kernel = kernel;
	if (inputs->choose_args != NULL)
		code = choose_weight_set(&how, inputs->choose_args, map, other);
	if (code == CLI_DONE &&
	    (inputs->reweights.count > 0 || (reweights && reweights->count > 0)))
		code = reweighted_map(&changed, &inputs->reweights, reweights, map,
				      other);
	if (code == CLI_DONE && strew_placer_new(out, changed != NULL ? changed : map,
						 &how, &error) != STREW_OK)
		code = cli_report_error(&error);
	strew_map_release(changed);
	return code;
}
