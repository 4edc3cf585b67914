/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

#define SHOWN_MAX 20

static const struct cli_option options[] = {
	CLI_OPTION("to", "FORMAT", CLI_TEXT, struct cli_write, to,
		   "the format to write (default: json; edit keeps the map's own)"),
	CLI_OPTION("dialect", "RELEASE", CLI_TEXT, struct cli_write, dialect,
		   "write as this release of Ceph does, such as reef (default: pacific)"),
	CLI_OPTION("pretty", NULL, CLI_FLAG, struct cli_write, pretty,
		   "write crush-json with a value a line"),
	CLI_OPTION("lossy", NULL, CLI_FLAG, struct cli_write, lossy,
		   "write also when the format can't hold every fact of the map; what is "
		   "lost is told"),
};

const struct cli_group cli_write_group = CLI_GROUP("What to write", options);

int cli_write_check(const char *format)
{
	char names[256] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < strew_format_count() && len < sizeof(names); i++) {
		if (!strew_format_writes(i))
			continue;
		if (strcmp(strew_format_name(i), format) == 0)
			return CLI_DONE;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
					len > 0 ? ", " : "", strew_format_name(i));
	}
	return cli_usage_error("maps can't be written as '%s'; they can as %s", format,
			       names);
}

static void tell_lost(void *ctx, const char *fact)
{
	struct cli_write *write = ctx;

	if (write->lost++ < SHOWN_MAX)
		cli_error(write->lossy ? "warning: lost: %s" : "would be lost: %s", fact);
}

int cli_write_map(struct cli_write *write, const strew_map *map, const char *format,
		  struct cli_output *output)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	strew_sink sink = cli_output_sink(output);
	strew_error error;
	strew_status status;

	how.lossy = write->lossy;
	how.dialect = write->dialect;
	how.pretty = write->pretty;
	how.lost = tell_lost;
	how.ctx = write;
	status = strew_map_write(map, format, &how, &sink, &error);
	if (write->lost > SHOWN_MAX)
		cli_error("and %zu more facts", write->lost - SHOWN_MAX);
	/* What could not be written is for cli_output_close() to tell. */
	if (status == STREW_OK || cli_output_failed(output))
		return CLI_DONE;
	if (status != STREW_ENOTSUP || write->lost == 0)
		return cli_report_error(&error);
	cli_error("nothing is written, because %s can't hold all of the map; --lossy "
		  "writes the rest",
		  format);
	return CLI_FAILED;
}
