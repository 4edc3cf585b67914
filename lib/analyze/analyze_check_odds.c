/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "compile.h"

/**
 * The chance that an input stays short though there is enough for it. Draws are
 * independent, and domains of one weight are alike: how many of each weight have been
 * chosen is all that the rest depends on. So the chances of these states are followed,
 * draw by draw, for as many tries as there are.
 */

#define WEIGHTS_MAX 4
#define STATES_MAX  4096
#define WORK_MAX    20000000.0
#define CHOSEN_MAX  256  /* buckets of a first step that are gone through */
#define SAME        1e-9 /* rates that differ by less are one */
#define NEVER       1e-15

/* Domains that are drawn at one rate. */
struct kind {
	double rate;
	uint32_t count;
	uint32_t stride; /* of its number in a state */
};

/* One choice below a bucket: `places` of the domains there. */
struct draw {
	struct kind kinds[WEIGHTS_MAX];
	size_t kind_count;
	uint32_t places;
	uint32_t states;
	uint32_t tries;
	bool is_indep;
};

struct odds {
	struct check_uses *uses;
	const struct check_use *use;
	const strew_allocator *allocator;
	struct rule_settings settings;
	double *rates;          /* by bucket; below 0: not reached */
	struct base_vec list;   /* double: the domains' */
	struct base_vec chosen; /* uint32_t: buckets of the first step */
	bool is_simple;
	bool failed; /* for lack of memory */
};

/* What all that is drawn must be for draws to follow weights. */
static bool is_plain(const struct odds *odds, uint32_t index)
{
	const strew_bucket *bucket = &odds->uses->check->map->buckets[index];
	const struct map_weight_set *set = odds->use->set;
	const struct map_weights *part = set ? map_weights_of(set, bucket->id) : NULL;

	return strcmp(bucket->alg, "straw2") == 0 && bucket->hash == 0 &&
	       (part == NULL || (part->positions <= 1 && part->ids == NULL));
}

static double sum_rates(const struct odds *odds, uint32_t index)
{
	const strew_bucket *bucket = &odds->uses->check->map->buckets[index];
	double sum = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		sum += map_weight_in(odds->use->set, bucket, i, 0);
	return sum;
}

static bool add_rate(struct odds *odds, double rate)
{
	double *added = base_vec_push(&odds->list, odds->allocator, sizeof(*added));

	if (added)
		*added = rate;
	else
		odds->failed = true;
	return added != NULL;
}

/* A device that may be turned down is so in all tries of an input. */
static bool visit_item(struct odds *odds, const struct map_step *step, int32_t item,
		       double rate, bool is_inside)
{
	const struct check *check = odds->uses->check;
	uint32_t bucket = (uint32_t)(-1 - item);

	if (item >= 0) {
		odds->is_simple &=
			check->map->devices[item].reweight >= STREW_WEIGHT_ONE &&
			check->tree.device_spots[item].places <= 1 &&
			(is_inside || step->arg2 == 0);
		return step->arg2 != 0 || !odds->is_simple || add_rate(odds, rate);
	}
	if (is_inside || check->map->buckets[bucket].type != step->arg2) {
		odds->rates[bucket] = is_inside ? 0 : rate;
		return true;
	}
	odds->rates[bucket] = 0;
	return add_rate(odds, rate);
}

/* Rates above 0 are on the way to the domains; 0 is below them. */
static bool visit_bucket(struct odds *odds, const struct map_step *step, uint32_t bucket)
{
	const struct analyze_tree *tree = &odds->uses->check->tree;
	const int32_t *items = tree->items + tree->first[bucket];
	double rate = odds->rates[bucket], sum = sum_rates(odds, bucket);

	if (rate < 0)
		return true;
	odds->is_simple &= is_plain(odds, bucket) && sum > 0;
	for (size_t i = 0; i < tree->map->buckets[bucket].item_count && odds->is_simple;
	     i++) {
		uint32_t weight =
			map_weight_in(odds->use->set, &tree->map->buckets[bucket], i, 0);

		odds->is_simple &= weight <= INT32_MAX;
		if (weight > 0 &&
		    !visit_item(odds, step, items[i], rate * weight / sum, rate == 0))
			return false;
	}
	return true;
}

/* The rates of what a step can choose below a bucket. */
static bool list_rates(struct odds *odds, const struct map_step *step, uint32_t below)
{
	const struct analyze_tree *tree = &odds->uses->check->tree;

	odds->list.count = 0;
	for (size_t i = 0; i < tree->map->bucket_count; i++)
		odds->rates[i] = -1;
	odds->rates[below] = 1;
	for (size_t i = 0; i < tree->map->bucket_count && odds->is_simple; i++)
		if (!visit_bucket(odds, step, tree->order[i]))
			return false;
	return true;
}

/* @return false when there are too many weights */
static bool sort_kinds(struct odds *odds, struct draw *draw)
{
	const double *rates = odds->list.items;
	uint64_t states = 1;

	if (odds->list.count > 1)
		qsort(odds->list.items, odds->list.count, sizeof(*rates),
		      base_compare_doubles);
	for (size_t i = 0; i < odds->list.count; i++) {
		struct kind *last =
			draw->kind_count ? &draw->kinds[draw->kind_count - 1] : NULL;

		if (last && rates[i] - last->rate <= SAME * rates[i]) {
			last->count++;
			continue;
		}
		if (draw->kind_count == WEIGHTS_MAX)
			return false;
		draw->kinds[draw->kind_count++] = (struct kind){rates[i], 1, 0};
	}
	for (size_t i = 0; i < draw->kind_count; i++) {
		struct kind *kind = &draw->kinds[i];
		uint32_t most = kind->count < draw->places ? kind->count : draw->places;

		kind->stride = (uint32_t)states;
		states *= most + 1;
		if (states > STATES_MAX)
			return false;
	}
	draw->states = (uint32_t)states;
	return draw->kind_count > 0;
}

static uint32_t chosen_of(const struct draw *draw, size_t kind, uint32_t state)
{
	uint32_t end =
		kind + 1 < draw->kind_count ? draw->kinds[kind + 1].stride : draw->states;

	return state % end / draw->kinds[kind].stride;
}

static uint32_t count_chosen(const struct draw *draw, uint32_t state)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < draw->kind_count; i++)
		sum += chosen_of(draw, i, state);
	return sum;
}

/* One draw from a state: it comes to something new, or leaves all as it is. States grow,
 * so this may be done in place from the last one to the first. */
static void draw_once(const struct draw *draw, double *chances, uint32_t state)
{
	double chance = chances[state], stays = chance;

	for (size_t i = 0; i < draw->kind_count && chance > 0; i++) {
		const struct kind *kind = &draw->kinds[i];
		uint32_t left = kind->count - chosen_of(draw, i, state);
		double moves = chance * left * kind->rate;

		if (left == 0)
			continue;
		chances[state + kind->stride] += moves;
		stays -= moves;
	}
	chances[state] = stays > 0 ? stays : 0;
}

/* Firstn reads draws in order, and a place gives up when its tries are over. Draws that
 * places before it have read come to what is chosen. @return the chance that one does */
static double run_firstn(const struct draw *draw, double *chances)
{
	uint32_t last = draw->places - 1 + draw->tries;
	double bad = 0;

	for (uint32_t r = 0; r <= last; r++) {
		for (uint32_t state = draw->states; state-- > 0;) {
			uint32_t chosen = count_chosen(draw, state);

			if (chosen >= draw->places || chances[state] == 0)
				continue;
			if (r < chosen + draw->tries) {
				draw_once(draw, chances, state);
				continue;
			}
			bad += chances[state];
			chances[state] = 0;
		}
	}
	return bad;
}

/* In a round of indep each place that is open draws once. */
static void run_round(const struct draw *draw, double *chances, double *next,
		      double *round)
{
	memset(next, 0, draw->states * sizeof(*next));
	for (uint32_t open = draw->places; open > 0; open--) {
		bool any = false;

		for (uint32_t i = 0; i < draw->states; i++) {
			bool starts = count_chosen(draw, i) == draw->places - open;

			round[i] = starts ? chances[i] : 0;
			any |= round[i] > 0;
		}
		for (uint32_t drawn = 0; drawn < open && any; drawn++) {
			for (uint32_t i = draw->states; i-- > 0;)
				if (count_chosen(draw, i) < draw->places)
					draw_once(draw, round, i);
		}
		for (uint32_t i = 0; i < draw->states && any; i++)
			next[i] += round[i];
	}
	for (uint32_t i = 0; i < draw->states; i++)
		if (count_chosen(draw, i) < draw->places)
			chances[i] = next[i];
}

static double run_indep(const struct draw *draw, double *chances)
{
	double *next = chances + draw->states, *round = next + draw->states;
	double bad = 0;

	for (uint32_t i = 0; i < draw->tries; i++)
		run_round(draw, chances, next, round);
	for (uint32_t i = 0; i < draw->states; i++)
		if (count_chosen(draw, i) < draw->places)
			bad += chances[i];
	return bad;
}

static double work_of(const struct draw *draw)
{
	double states = (double)draw->states * (double)draw->kind_count;

	return states * (draw->tries + draw->places) *
	       (draw->is_indep ? (double)draw->places * draw->places / 2 : 1);
}

/* @return the chance that some place stays empty; below 0: not simple, or no memory */
static double run(struct odds *odds, struct draw *draw)
{
	double *chances, bad;

	if (draw->places == 0 || !sort_kinds(odds, draw) || work_of(draw) > WORK_MAX)
		return -1;
	chances =
		base_calloc(odds->allocator, 3 * (size_t)draw->states, sizeof(*chances));
	if (chances == NULL) {
		odds->failed = true;
		return -1;
	}
	chances[0] = 1;
	bad = draw->is_indep ? run_indep(draw, chances) : run_firstn(draw, chances);
	base_free(odds->allocator, chances, 3 * (size_t)draw->states * sizeof(*chances));
	return bad;
}

static bool is_indep(const struct map_step *step)
{
	return step->op == STREW_OP_CHOOSE_INDEP || step->op == STREW_OP_CHOOSELEAF_INDEP;
}

static double draw_below(struct odds *odds, const struct map_step *step, uint32_t bucket,
			 uint32_t places)
{
	struct draw draw = {.places = places,
			    .tries = odds->settings.choose_tries,
			    .is_indep = is_indep(step)};

	if (!list_rates(odds, step, bucket) || !odds->is_simple)
		return -1;
	return run(odds, &draw);
}

/* The only block, if it is all there is and is simple: one step, or buckets and what is
 * in each. */
static bool find_steps(struct odds *odds, struct analyze_block *block,
		       const struct map_step *steps[2])
{
	const struct map_step *step;
	struct analyze_block other;
	size_t at = 0, choice = 0, count = 0;

	if (!analyze_next_block(block, odds->use->rule, &at) || block->is_msr ||
	    block->take->arg1 >= 0 || analyze_next_block(&other, odds->use->rule, &at))
		return false;
	steps[1] = NULL;
	while ((step = analyze_next_choice(block, &choice)) != NULL) {
		if (count == 2 || (count == 1 && analyze_finds_devices(steps[0])))
			return false;
		steps[count++] = step;
	}
	return count > 0 && analyze_finds_devices(steps[count - 1]) &&
	       odds->settings.local_tries == 0 && odds->settings.fallback_tries == 0;
}

/* The buckets that the first step can choose, once its rates are known. */
static bool list_chosen(struct odds *odds, const struct map_step *outer)
{
	const strew_map *map = odds->uses->check->map;

	odds->chosen.count = 0;
	for (size_t i = 0; i < map->bucket_count; i++) {
		uint32_t *added;

		if (map->buckets[i].type != outer->arg2 || odds->rates[i] < 0)
			continue;
		added = base_vec_push(&odds->chosen, odds->allocator, sizeof(*added));
		if (added == NULL) {
			odds->failed = true;
			return false;
		}
		*added = (uint32_t)i;
	}
	return odds->chosen.count > 0 && odds->chosen.count <= CHOSEN_MAX;
}

/* What is chosen first must be alike, for it isn't known which of it is. */
static double draw_inside(struct odds *odds, const struct map_step *inner,
			  uint32_t places)
{
	const uint32_t *chosen = odds->chosen.items;
	double least = 1, most = 0;

	for (size_t i = 0; i < odds->chosen.count; i++) {
		double bad = draw_below(odds, inner, chosen[i], places);

		if (bad < 0)
			return -1;
		least = fmin(least, bad);
		most = fmax(most, bad);
	}
	return most - least <= SAME * most || most < NEVER ? most : -1;
}

static double draw_all(struct odds *odds, uint32_t taken, const struct map_step *steps[2])
{
	uint32_t want = (uint32_t)odds->use->want;
	uint32_t outer = rule_count_ranks(steps[0]->arg1, odds->use->want);
	uint32_t inner = steps[1] ? rule_count_ranks(steps[1]->arg1, odds->use->want) : 1;
	uint32_t places = steps[1] ? outer : want;
	double bad, below;

	/* Firstn goes on for as many as the step asks for; room must not end it. */
	if ((!is_indep(steps[0]) || steps[1]) && outer != places)
		return -1;
	if (outer < places || (steps[1] && (uint64_t)outer * inner != want))
		return -1;
	bad = draw_below(odds, steps[0], taken, places);
	if (bad < 0 || steps[1] == NULL)
		return bad;
	if (!list_chosen(odds, steps[0]))
		return -1;
	below = draw_inside(odds, steps[1], inner);
	if (below < 0)
		return -1;
	return -expm1(log1p(-fmin(bad, 1)) + outer * log1p(-fmin(below, 1)));
}

static double find_odds(struct odds *odds)
{
	const strew_map *map = odds->uses->check->map;
	const struct map_step *steps[2];
	struct analyze_block block;
	int64_t taken;

	if (!find_steps(odds, &block, steps))
		return -1;
	taken = map_bucket_index(map, block.take->arg1);
	return taken < 0 ? -1 : draw_all(odds, (uint32_t)taken, steps);
}

double analyze_check_odds(struct check_uses *uses, const struct check_use *use,
			  uint32_t tries)
{
	const strew_map *map = uses->check->map;
	struct flat_tunables tunables = compile_tunables(&map->tunables);
	struct odds odds = {.uses = uses,
			    .use = use,
			    .allocator = uses->check->allocator,
			    .is_simple = true};
	double bad = -1;

	rule_settings_start(&odds.settings, &tunables);
	for (size_t i = 0; i < use->rule->step_count; i++)
		rule_settings_apply(&odds.settings, (int32_t)use->rule->steps[i].op,
				    use->rule->steps[i].arg1);
	odds.settings.choose_tries = tries;
	odds.rates =
		base_alloc(odds.allocator, map->bucket_count + 1, sizeof(*odds.rates));
	if (odds.rates)
		bad = find_odds(&odds);
	if (odds.failed || odds.rates == NULL)
		uses->check->status = STREW_ENOMEM;
	base_free(odds.allocator, odds.rates,
		  (map->bucket_count + 1) * sizeof(*odds.rates));
	base_vec_free(&odds.list, odds.allocator);
	base_vec_free(&odds.chosen, odds.allocator);
	return bad;
}
