/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

/* Pictures of the tables: how full, where that is known, else how far from the target. */

static const struct result_picture fill_by_place = {
	.shape = RESULT_TREEMAP,
	.scale = RESULT_SCALE_FILL,
	.title = "How full each device is: a tile for each, as large as its weight",
	.columns = {"location", "name", "weight", "fill_percent"}};

static const struct result_picture fill_by_rank = {
	.shape = RESULT_RANKS,
	.scale = RESULT_SCALE_FILL,
	.title = "Devices by fill, the fullest first",
	.columns = {"fill_percent"},
	.marks = {{"nearfull", SPREAD_NEARFULL},
		  {"backfillfull", SPREAD_BACKFILLFULL},
		  {"full", SPREAD_FULL}}};

static const struct result_picture fill_of_domains = {
	.shape = RESULT_BARS,
	.scale = RESULT_SCALE_FILL,
	.title = "Fill of each domain",
	.columns = {"domain", "fill_percent"},
	.marks = {{"nearfull", SPREAD_NEARFULL}, {"backfillfull", SPREAD_BACKFILLFULL}}};

static const struct result_picture load_by_place = {
	.shape = RESULT_TREEMAP,
	.scale = RESULT_SCALE_TARGET,
	.title = "Shards of each device, in percent of what its weight asks for",
	.columns = {"location", "name", "weight", "actual_percent_of_target"}};

static const struct result_picture load_by_rank = {
	.shape = RESULT_RANKS,
	.scale = RESULT_SCALE_TARGET,
	.title = "Devices by shards, in percent of what their weight asks for",
	.columns = {"actual_percent_of_target"},
	.marks = {{"as weighted", 100}}};

static const struct result_picture load_of_domains = {
	.shape = RESULT_BARS,
	.scale = RESULT_SCALE_TARGET,
	.title = "Shards of each domain, in percent of what its weight asks for",
	.columns = {"domain", "actual_percent_of_target"},
	.marks = {{"as weighted", 100}}};

void analyze_spread_draw(struct spread *spread)
{
	bool fill = spread->fill != SPREAD_FILL_UNKNOWN;
	strew_result *result = spread->result;

	result_draw(result, "devices", fill ? &fill_by_place : &load_by_place);
	result_draw(result, "devices", fill ? &fill_by_rank : &load_by_rank);
	result_draw(result, "domains", fill ? &fill_of_domains : &load_of_domains);
}
