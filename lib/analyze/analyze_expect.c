/* SPDX-License-Identifier: MIT */
#include "analyze_expect_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "base_error.h"
#include "compile.h"

/* A rule's blocks, from take to emit: what each place of the result is expected to hold,
 * step by step. */

void analyze_expect_refuse(struct expect *expect, const char *reason)
{
	if (expect->reason == NULL)
		expect->reason = reason;
}

size_t analyze_expect_index(const struct expect *expect, int32_t item)
{
	size_t devices = expect->share->tree->map->device_count;

	return item >= 0 ? (size_t)item : devices + (size_t)(-1 - item);
}

static void take(struct expect *expect, int32_t id)
{
	const strew_map *map = expect->share->tree->map;
	int64_t index = id >= 0 ? map_device_index(map, id) : map_bucket_index(map, id);

	if (index < 0)
		return;
	expect->taken = (int32_t)(id >= 0 ? index : -1 - index);
	expect->has_taken = true;
	expect->step_count = 0;
}

static void add_step(struct expect *expect, const struct map_step *step)
{
	expect->steps[expect->step_count++] = (struct expect_step){
		.settings = expect->settings,
		.type = step->arg2,
		.ranks = rule_count_ranks(step->arg1, expect->share->want),
		.is_leaf = map_op_leaf((int)step->op),
		.is_indep = step->op == STREW_OP_CHOOSE_INDEP ||
			    step->op == STREW_OP_CHOOSELEAF_INDEP,
	};
}

/* Draws are independent as long as no two items have one id in them. */
static void judge_ids(struct expect *expect)
{
	if (!expect->has_ids)
		return;
	qsort(expect->hashed, expect->hashed_count, sizeof(*expect->hashed),
	      base_compare_doubles);
	for (size_t i = 1; i < expect->hashed_count; i++) {
		if (!(expect->hashed[i] > expect->hashed[i - 1]))
			analyze_expect_refuse(expect, "its weight set gives two items "
						      "the same id");
	}
}

static void start_block(struct expect *expect)
{
	memset(expect->seen, 0, expect->items * sizeof(*expect->seen));
	if (expect->has_taken)
		expect->seen[analyze_expect_index(expect, expect->taken)] = true;
	expect->hashed_count = 0;
	expect->has_ids = false;
}

/* A first step may ask for more than there are: "choose firstn 0 type datacenter" of two.
 * Those below them then have more room. */
static void clip_first(struct expect *expect)
{
	struct expect_step *step = expect->steps;
	struct expect_window window = {.expect = expect, .step = step};
	uint32_t count = 0;

	if (!expect->has_taken || expect->taken >= 0 || expect->step_count < 2 ||
	    step->is_indep || step->is_leaf || step->type == 0)
		return;
	start_block(expect);
	analyze_expect_open(&window, (uint32_t)(-1 - expect->taken));
	if (expect->reason)
		return;
	analyze_expect_rate(&window, 0);
	for (uint32_t i = 0; i < window.domain_count; i++)
		count += expect->nodes[expect->domains[i]].rate > 0;
	if (count > 0 && count < step->ranks && !window.is_varied)
		step->ranks = count;
}

/* Have all steps what they ask for, the block's result has so many places. */
static uint32_t count_places(struct expect *expect)
{
	uint64_t want = (uint64_t)expect->share->want, places = expect->has_taken;
	bool holds_devices = expect->taken >= 0;

	for (size_t i = 0; i < expect->step_count; i++) {
		struct expect_step *step = &expect->steps[i];

		places = holds_devices ? 0 : places * step->ranks;
		step->fills_room = places > want;
		if (step->fills_room) {
			expect->is_cut = true;
			places = want;
		}
		holds_devices = step->is_leaf || step->type == 0;
	}
	return (uint32_t)places;
}

/* Where indep puts what it chooses depends on collisions: but for the first place, and
 * the other one of two. */
static void judge_place(struct expect *expect, const struct expect_step *step)
{
	uint32_t part = step->full % step->ranks;

	if (!step->is_indep || (part == 0 && !step->next) ||
	    (step->fills_room && step->full == (uint32_t)expect->share->want &&
	     !step->next))
		return;
	if (step->ranks > 2 && part + step->next > 1)
		analyze_expect_refuse(expect, "it uses some of the places that an indep "
					      "step fills");
}

/* What must be known of each step's result, from the last one to the first. @return of
 * what is taken: in the first place (1) or behind it (0)? */
static uint32_t find_limits(struct expect *expect, uint32_t places)
{
	bool next = false;

	for (size_t i = expect->step_count; i-- > 0;) {
		struct expect_step *step = &expect->steps[i];

		step->full = places;
		step->next = next;
		judge_place(expect, step);
		next = next || places % step->ranks > 0;
		places /= step->ranks;
	}
	return places;
}

static void swap_levels(struct expect *expect)
{
	struct expect_level old = expect->now;

	expect->now = expect->then;
	expect->then = old;
}

static void clear_level(const struct expect *expect, struct expect_level *level)
{
	memset(level->full, 0, expect->items * sizeof(*level->full));
	memset(level->next, 0, expect->items * sizeof(*level->next));
}

/* `sign`: what a place holds is what one place more holds, less what the others do. */
static void add_wins(const struct expect_window *window, double *values, double times)
{
	const struct expect *expect = window->expect;
	bool leaf = window->step->is_leaf || window->step->type == 0;

	for (uint32_t i = 1; i < window->node_count; i++) {
		const struct expect_node *node = &expect->nodes[i];

		if (leaf ? node->item >= 0 : node->domain == i)
			values[analyze_expect_index(expect, node->item)] +=
				times * node->wins;
	}
}

static strew_status add_places(struct expect_window *window, double *values,
			       uint32_t places, double times)
{
	strew_status status;

	if (times == 0)
		return STREW_OK;
	status = analyze_expect_run(window, places);
	if (status == STREW_OK)
		add_wins(window, values, times);
	return status;
}

/* `full` and `next`: how often the bucket is expected in the working set. */
static strew_status choose_below(struct expect *expect, const struct expect_step *step,
				 uint32_t bucket, double full, double next)
{
	struct expect_window window = {.expect = expect, .step = step};
	uint32_t part = step->full % step->ranks;
	strew_status status;

	analyze_expect_open(&window, bucket);
	if (expect->reason)
		return STREW_OK;
	analyze_expect_rate(&window, 0);
	status = analyze_expect_enter(&window);
	if (status == STREW_OK && !expect->reason)
		status = add_places(&window, expect->then.full, step->ranks, full);
	if (status == STREW_OK && !expect->reason)
		status = add_places(&window, expect->then.full, part, next);
	if (status || expect->reason || !step->next)
		return status;
	status = add_places(&window, expect->then.next, part + 1, next);
	if (status == STREW_OK)
		status = add_places(&window, expect->then.next, part, -next);
	return status;
}

static void judge_step(struct expect *expect, const struct expect_step *step)
{
	const struct rule_settings *settings = &step->settings;

	if (!step->is_indep &&
	    (settings->local_tries > 0 || settings->fallback_tries > 0))
		analyze_expect_refuse(expect, "it retries within a bucket "
					      "(choose_local_tries, "
					      "choose_local_fallback_tries)");
}

static strew_status choose(struct expect *expect, const struct expect_step *step)
{
	const strew_map *map = expect->share->tree->map;
	strew_status status = STREW_OK;

	judge_step(expect, step);
	clear_level(expect, &expect->then);
	for (size_t i = 0; i < map->bucket_count && !status && !expect->reason; i++) {
		double full = expect->now.full[map->device_count + i];
		double next = expect->now.next[map->device_count + i];

		if (full > 0 || next > 0)
			status = choose_below(expect, step, (uint32_t)i, full, next);
	}
	swap_levels(expect);
	return status;
}

/* A device that is gone or down leaves a hole. */
static void emit_level(struct expect *expect)
{
	const strew_map *map = expect->share->tree->map;

	for (size_t i = 0; i < map->device_count; i++) {
		if (analyze_serves(expect->share, i))
			expect->shares[i] += expect->now.full[i];
	}
	for (size_t i = map->device_count; i < expect->items; i++) {
		if (expect->now.full[i] > 0)
			analyze_expect_refuse(expect, "it emits buckets");
	}
}

static strew_status emit(struct expect *expect)
{
	uint32_t room = (uint32_t)(expect->share->want - expect->placed), places;
	strew_status status = STREW_OK;
	size_t index;

	clip_first(expect);
	start_block(expect);
	places = count_places(expect);
	index = analyze_expect_index(expect, expect->taken);
	expect->has_taken = false;
	if (places > room) {
		expect->is_cut = true;
		places = room;
	}
	if (places == 0)
		return STREW_OK;
	expect->placed += (int)places;
	clear_level(expect, &expect->now);
	if (find_limits(expect, places) > 0)
		expect->now.full[index] = 1;
	else
		expect->now.next[index] = 1;
	for (size_t i = 0; i < expect->step_count && !status && !expect->reason; i++)
		status = choose(expect, &expect->steps[i]);
	emit_level(expect);
	judge_ids(expect);
	return status;
}

static strew_status walk_rule(struct expect *expect)
{
	const struct map_rule *rule = expect->share->rule;
	strew_status status = STREW_OK;

	if (map_kind_is_msr(rule->kind))
		analyze_expect_refuse(expect, "it is an MSR rule");
	for (size_t i = 0; i < rule->step_count && !status && !expect->reason; i++) {
		const struct map_step *step = &rule->steps[i];

		if (step->op == STREW_OP_TAKE)
			take(expect, step->arg1);
		else if (step->op == STREW_OP_EMIT)
			status = emit(expect);
		else if (map_op_chooses((int)step->op) && step->op != STREW_OP_CHOOSE_MSR)
			add_step(expect, step);
		else
			rule_settings_apply(&expect->settings, (int32_t)step->op,
					    step->arg1);
	}
	if (expect->is_cut && expect->is_short)
		analyze_expect_refuse(expect, "some places may stay empty, and others "
					      "are left out");
	return status;
}

static void divide_memory(struct expect *expect, size_t room)
{
	expect->now.full = expect->block;
	expect->now.next = expect->block + room;
	expect->then.full = expect->block + 2 * room;
	expect->then.next = expect->block + 3 * room;
	expect->hashed = expect->block + 4 * room;
	expect->numbers = expect->block + 5 * room;
}

static bool alloc_expect(struct expect *expect)
{
	const strew_allocator *allocator = expect->allocator;
	size_t room = expect->items + 1, steps = expect->share->rule->step_count + 1;

	expect->block = base_alloc(allocator, 6 * room, sizeof(*expect->block));
	if (expect->block)
		divide_memory(expect, room);
	expect->seen = base_alloc(allocator, room, sizeof(*expect->seen));
	expect->steps = base_alloc(allocator, steps, sizeof(*expect->steps));
	expect->nodes = base_alloc(allocator, room, sizeof(*expect->nodes));
	expect->domains = base_alloc(allocator, room, sizeof(*expect->domains));
	expect->racers = base_alloc(allocator, room, sizeof(*expect->racers));
	expect->inner = base_alloc(allocator, room, sizeof(*expect->inner));
	expect->members = base_alloc(allocator, room, sizeof(*expect->members));
	expect->member_nodes = base_alloc(allocator, room, sizeof(*expect->member_nodes));
	expect->misses = base_alloc(allocator, room, sizeof(*expect->misses));
	return expect->block && expect->seen && expect->steps && expect->nodes &&
	       expect->domains && expect->racers && expect->inner && expect->members &&
	       expect->member_nodes && expect->misses;
}

static void free_expect(struct expect *expect)
{
	const strew_allocator *allocator = expect->allocator;
	size_t room = expect->items + 1, steps = expect->share->rule->step_count + 1;

	base_free(allocator, expect->block, 6 * room * sizeof(*expect->block));
	base_free(allocator, expect->seen, room * sizeof(*expect->seen));
	base_free(allocator, expect->steps, steps * sizeof(*expect->steps));
	base_free(allocator, expect->nodes, room * sizeof(*expect->nodes));
	base_free(allocator, expect->domains, room * sizeof(*expect->domains));
	base_free(allocator, expect->racers, room * sizeof(*expect->racers));
	base_free(allocator, expect->inner, room * sizeof(*expect->inner));
	base_free(allocator, expect->members, room * sizeof(*expect->members));
	base_free(allocator, expect->member_nodes, room * sizeof(*expect->member_nodes));
	base_free(allocator, expect->misses, room * sizeof(*expect->misses));
}

strew_status analyze_expect(double *shares, const char **reason,
			    const struct analyze_share *share,
			    const strew_allocator *allocator, strew_error *error)
{
	const strew_map *map = share->tree->map;
	struct expect expect = {.share = share,
				.allocator = allocator,
				.shares = shares,
				.items = map->device_count + map->bucket_count};
	struct flat_tunables tunables = compile_tunables(&map->tunables);
	strew_status status = STREW_ENOMEM;

	memset(shares, 0, map->device_count * sizeof(*shares));
	rule_settings_start(&expect.settings, &tunables);
	if (alloc_expect(&expect))
		status = walk_rule(&expect);
	free_expect(&expect);
	*reason = expect.reason;
	if (status)
		return base_error_nomem(error);
	return expect.reason ? analyze_share(shares, share, allocator, error) : STREW_OK;
}
