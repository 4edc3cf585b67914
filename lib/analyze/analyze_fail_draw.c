/* SPDX-License-Identifier: MIT */
#include "analyze_fail_priv.h"

/* Pictures of the tables: how full, where that is known, else how much moves. */

static const struct result_picture fullest = {
	.shape = RESULT_BARS,
	.scale = RESULT_SCALE_FILL,
	.title = "How full the fullest device is after each failure",
	.columns = {"failed", "fullest_percent"}};

static const struct result_picture recovery = {
	.shape = RESULT_BARS,
	.scale = RESULT_SCALE_FILL,
	.title = "How full the worst failure makes what takes its data; grey: as now",
	.columns = {"to", "fill_percent", "fill_before_percent"}};

static const struct result_picture moved_bytes = {
	.shape = RESULT_BARS,
	.title = "Data that moves after each failure",
	.columns = {"failed", "moved_bytes"}};

static const struct result_picture moved_shards = {
	.shape = RESULT_BARS,
	.title = "Shards that move after each failure",
	.columns = {"failed", "moved_shards"}};

void analyze_fail_draw(struct fail *fail)
{
	if (!fail->absolute) {
		result_draw(fail->result, "failures",
			    fail->has_bytes ? &moved_bytes : &moved_shards);
		return;
	}
	analyze_draw_fill(fail->result, "failures", &fullest, &fail->ratios);
	analyze_draw_fill(fail->result, "recovery", &recovery, &fail->ratios);
}
