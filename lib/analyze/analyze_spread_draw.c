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
	.columns = {"fill_percent"}};

static const struct result_picture fill_of_domains = {
	.shape = RESULT_BARS,
	.scale = RESULT_SCALE_FILL,
	.title = "Fill of each domain",
	.columns = {"domain", "fill_percent"}};

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

static const struct result_picture imbalance = {
	.shape = RESULT_BARS,
	.title = "What the imbalance is made of: STDDEV in percent of a device's share",
	.columns = {"text", "stddev_percent"}};

void analyze_spread_draw(struct spread *spread)
{
	strew_result *result = spread->result;

	if (spread->fill != SPREAD_FILL_UNKNOWN) {
		result_draw(result, "devices", &fill_by_place);
		analyze_draw_fill(result, "devices", &fill_by_rank, &spread->ratios);
		analyze_draw_fill(result, "domains", &fill_of_domains, &spread->ratios);
	} else {
		result_draw(result, "devices", &load_by_place);
		result_draw(result, "devices", &load_by_rank);
		result_draw(result, "domains", &load_of_domains);
	}
	result_draw(result, "imbalance", &imbalance);
}
