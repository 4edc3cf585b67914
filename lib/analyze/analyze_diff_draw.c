/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

/* Pictures of the tables: by bytes, where they are known, else by shards. */

static const struct result_picture flows_of_bytes = {
	.shape = RESULT_FLOWS,
	.title = "Data that moves between domains",
	.columns = {"from", "to", "bytes"}};

static const struct result_picture flows_of_shards = {
	.shape = RESULT_FLOWS,
	.title = "Shards that move between domains",
	.columns = {"from", "to", "shards"}};

static const struct result_picture causes = {.shape = RESULT_BARS,
					     .title = "What makes more move than has to",
					     .columns = {"cause", "shards"}};

static const struct result_picture fill_by_rank = {
	.shape = RESULT_RANKS,
	.scale = RESULT_SCALE_FILL,
	.title = "Fill of the devices that take in or give away, before and after",
	.columns = {"fill_percent_before", "fill_percent_after"}};

static const struct result_picture bytes_by_rank = {
	.shape = RESULT_RANKS,
	.title = "Data that each device takes in and gives away",
	.columns = {"bytes_in", "bytes_out"}};

static const struct result_picture shards_by_rank = {
	.shape = RESULT_RANKS,
	.title = "Shards that each device takes in and gives away",
	.columns = {"shards_in", "shards_out"}};

void analyze_diff_draw(struct diff *diff)
{
	const strew_map *map = diff->sides[1].map;
	const struct analyze_ratios ratios = {map_ratio(map, MAP_FULL),
					      map_ratio(map, MAP_BACKFILLFULL),
					      map_ratio(map, MAP_NEARFULL)};
	bool bytes = diff->totals.has_bytes;

	result_draw(diff->result, "domains", bytes ? &flows_of_bytes : &flows_of_shards);
	result_draw(diff->result, "causes", &causes);
	if (analyze_diff_fill_basis(diff) != DIFF_FILL_UNKNOWN)
		analyze_draw_fill(diff->result, "devices", &fill_by_rank, &ratios);
	result_draw(diff->result, "devices", bytes ? &bytes_by_rank : &shards_by_rank);
}
