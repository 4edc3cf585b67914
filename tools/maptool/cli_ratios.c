/* SPDX-License-Identifier: MIT */
#include "cli.h"

static const struct cli_option options[] = {
	CLI_OPTION("full-ratio", "R", CLI_NUMBER, struct cli_ratios, full,
		   "before writing stops, above 0 up to 1 (default: the map's, else "
		   "0.95); 1 tells of all the space"),
	CLI_OPTION("backfillfull-ratio", "R", CLI_NUMBER, struct cli_ratios, backfillfull,
		   "before nothing more is moved to it (default: the map's, else 0.90)"),
	CLI_OPTION("nearfull-ratio", "R", CLI_NUMBER, struct cli_ratios, nearfull,
		   "before Ceph warns of it (default: the map's, else 0.85)"),
};

const struct cli_group cli_ratios_group = CLI_GROUP("How full a device may be", options);

static int check(const struct cli_number *ratio, const char *name)
{
	if (!ratio->given || (ratio->value > 0 && ratio->value <= 1))
		return CLI_DONE;
	return cli_usage_error("--%s takes a number above 0, at most 1", name);
}

int cli_ratios_check(const struct cli_ratios *ratios)
{
	int code = check(&ratios->full, "full-ratio");

	if (code == CLI_DONE)
		code = check(&ratios->backfillfull, "backfillfull-ratio");
	if (code == CLI_DONE)
		code = check(&ratios->nearfull, "nearfull-ratio");
	return code;
}
