/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

#define SHOWN_MAX 20

static const struct cli_option options[] = {
	CLI_OPTION("from", "FORMAT", CLI_TEXT, struct cli_input, from,
		   "the format of the map (default: recognised from its content)"),
	CLI_OPTION("join", "FILE", CLI_LIST, struct cli_input, joins,
		   "add the facts of another file about the same cluster, such as the "
		   "output of 'ceph osd dump -f json'; may be repeated"),
};

const struct cli_group cli_input_group = CLI_GROUP("Reading the map", options);

static int check_format(const char *format)
{
	char names[512] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < strew_format_count() && len < sizeof(names); i++) {
		if (strcmp(strew_format_name(i), format) == 0)
			return CLI_DONE;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
					i > 0 ? ", " : "", strew_format_name(i));
	}
	return cli_usage_error("no format '%s'; there are %s", format, names);
}

int cli_count_stdin(const char *const *paths, size_t count)
{
	int found = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (paths[i] != NULL && strcmp(paths[i], "-") == 0)
			found++;
	return found;
}

int cli_input_check(const struct cli_input *input, int stdin_uses)
{
	stdin_uses += cli_count_stdin(input->joins.items, input->joins.count);
	if (stdin_uses > 1)
		return cli_usage_error("standard input can be read once only");
	return input->from != NULL ? check_format(input->from) : CLI_DONE;
}

static const strew_error *warning_at(const strew_map *map, const strew_builder *builder,
				     size_t index)
{
	if (map != NULL)
		return strew_map_warning_at(map, index);
	return strew_builder_warning_at(builder, index);
}

/* A map has the warnings of its builder, and a builder that failed still has them. */
static void report_warnings(const strew_map *map, const strew_builder *builder)
{
	size_t count = map != NULL ? strew_map_warning_count(map)
				   : strew_builder_warning_count(builder);
	const strew_error *warning;
	size_t i;

	for (i = 0; i < SHOWN_MAX; i++) {
		warning = warning_at(map, builder, i);
		if (warning == NULL)
			break;
		cli_report_warning(warning);
	}
	if (count > i)
		cli_error("warning: and %zu more warnings", count - i);
}

static int report_faults(const strew_builder *builder)
{
	size_t count = strew_builder_fault_count(builder);
	const strew_error *fault;
	size_t i;

	for (i = 0; i < SHOWN_MAX; i++) {
		fault = strew_builder_fault_at(builder, i);
		if (fault == NULL)
			break;
		cli_report_error(fault);
	}
	if (count > i)
		cli_error("and %zu more faults", count - i);
	return count > 0 ? CLI_INPUT : CLI_DONE;
}

static strew_status read_joins(strew_builder *builder, const struct cli_list *joins,
			       strew_error *error)
{
	strew_status status = STREW_OK;
	size_t i;

	for (i = 0; joins != NULL && i < joins->count && status == STREW_OK; i++)
		status = strew_builder_read_file(builder, joins->items[i], NULL, error);
	return status;
}

static strew_status read_files(strew_builder *builder, const struct cli_input *input,
			       const char *path, const struct cli_list *more,
			       strew_error *error)
{
	strew_read_options how = STREW_READ_OPTIONS_INIT;
	strew_status status;

	how.format = input->from;
	how.found = input->format;
	status = strew_builder_read_file(builder, path, &how, error);
	if (status == STREW_OK)
		status = read_joins(builder, &input->joins, error);
	if (status == STREW_OK)
		status = read_joins(builder, more, error);
	return status;
}

strew_builder *cli_input_builder(void)
{
	strew_builder *builder;

	if (strew_builder_new(&builder, NULL) != STREW_OK)
		cli_no_memory();
	return builder;
}

strew_status cli_input_fill(strew_builder *builder, const struct cli_input *input,
			    const char *path, strew_error *error)
{
	return read_files(builder, input, path, NULL, error);
}

int cli_input_read(strew_map **out, const struct cli_input *input, const char *path,
		   const struct cli_list *more)
{
	strew_builder *builder = cli_input_builder();
	strew_error error;
	strew_status status;
	int code;

	*out = NULL;
	status = read_files(builder, input, path, more, &error);
	if (status != STREW_OK) {
		report_faults(builder);
		code = cli_report_error(&error);
	} else {
		status = strew_builder_build(out, builder, &error);
		code = report_faults(builder);
		if (status != STREW_OK && code == CLI_DONE)
			code = cli_report_error(&error);
	}
	report_warnings(*out, builder);
	strew_builder_free(builder);
	return code;
}
