/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <inttypes.h>

/** What rules keep apart, and what can be lost. */

/* More on one domain than the rule says. */

static bool is_mixed(const struct check_use *use)
{
	return use->lies[use->domain].over > 0;
}

static size_t count_blocks(const struct map_rule *rule)
{
	struct analyze_block block;
	size_t at = 0, count = 0;

	while (analyze_next_block(&block, rule, &at))
		count++;
	return count;
}

static void tell_mixed(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;
	const struct check_lie *lie = &use->lies[use->domain];
	size_t blocks = count_blocks(use->rule);

	analyze_check_begin_use(check, use);
	analyze_check_say(check, ", %" PRIu32, use->promise + 1);
	if (lie->most > use->promise + 1)
		analyze_check_say(check, " to %" PRIu32, lie->most);
	analyze_check_say(check, " are on one %s for ",
			  analyze_check_level(uses, use->domain));
	analyze_check_say_rate(check, lie->over, use);
	if (blocks > 1)
		analyze_check_say(check,
				  ": its %zu takes lead to the same %ss, and none knows "
				  "what the others have chosen",
				  blocks, analyze_check_level(uses, use->domain));
	else
		analyze_check_say(check, ": something hangs in several places");
	analyze_check_end(check);
}

static void find_mixed(struct check *check)
{
	analyze_check_for_uses(check, true, is_mixed, tell_mixed);
	analyze_check_for_uses(check, false, is_mixed, tell_mixed);
}

/* Levels above the domain, which the rule doesn't name. */

static bool names_level(const struct check_use *use, int32_t type)
{
	for (size_t i = 0; i < use->rule->step_count; i++)
		if (map_op_chooses((int)use->rule->steps[i].op) &&
		    use->rule->steps[i].arg2 == type)
			return true;
	return false;
}

/* How many buckets of a level a rule could spread to, so that each can be lost; 0: it
 * can't. */
static uint32_t count_spread(const struct check_use *use, const struct check_lie *lie)
{
	uint32_t want = (uint32_t)use->want, spare = analyze_check_spare(use);
	uint32_t buckets = lie->buckets < want ? lie->buckets : want;

	while (buckets > 1 && want % buckets != 0)
		buckets--;
	return buckets > 1 && want / buckets <= spare ? buckets : 0;
}

/* The lowest level whose loss takes too much, though it need not. @return level_count:
 * none */
static size_t find_loose(const struct check_uses *uses, const struct check_use *use)
{
	for (size_t i = 1; i < uses->level_count; i++) {
		const struct check_lie *lie = &use->lies[i];

		if (lie->lost > 0 && count_spread(use, lie) > 0 &&
		    lie->buckets < use->lies[use->domain].buckets &&
		    !names_level(use, uses->levels[i].type))
			return i;
	}
	return uses->level_count;
}

static void advise_spread(struct check_uses *uses, const struct check_use *use,
			  size_t level)
{
	struct check *check = uses->check;
	uint32_t buckets = count_spread(use, &use->lies[level]);
	uint32_t each = (uint32_t)use->want / buckets;
	const char *mode = map_kind_copies(use->rule->kind) ? "firstn" : "indep";

	if (map_kind_is_msr(use->rule->kind))
		analyze_check_advise(check, "A rule that names %s ",
				     analyze_check_level(uses, level));
	else if (each == 1)
		analyze_check_advise(check, "A rule with \"chooseleaf %s 0 type %s\" ",
				     mode, analyze_check_level(uses, level));
	else
		analyze_check_advise(check,
				     "A rule with \"choose %s %" PRIu32
				     " type %s\" and \"chooseleaf %s %" PRIu32
				     " type %s\" ",
				     mode, buckets, analyze_check_level(uses, level),
				     mode, each, analyze_check_level(uses, use->domain));
	analyze_check_advise(check,
			     "puts %" PRIu32
			     " on each %s at most. The change moves data; "
			     "maptool diff --new-rule tells how much.",
			     each, analyze_check_level(uses, level));
}

static void tell_loose(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;
	size_t level = find_loose(uses, use);
	const struct check_lie *lie = &use->lies[level];
	const char *name = analyze_check_level(uses, level);
	uint32_t spare = analyze_check_spare(use);
	double each = (double)lie->losses / lie->buckets / (double)use->inputs;

	analyze_check_begin_use(check, use);
	analyze_check_say(
		check,
		", of which %" PRIu32 " can %sbe spared, the loss of a %s takes "
		"%" PRIu32 "%s from %.3g %% of PGs (%.3g %% for %s, the worst); ",
		spare, use->guess_k ? "usually " : "", name, spare + 1,
		(uint32_t)use->want > spare + 1 ? " or more" : "", 100 * each,
		100 * (double)lie->worst_at / (double)use->inputs,
		check->map->buckets[lie->worst].name);
	analyze_check_say_rate(check, lie->lost, use);
	analyze_check_say(check, " have such a %s", name);
	advise_spread(uses, use, level);
	analyze_check_end(check);
}

static void find_loose_levels(struct check *check)
{
	struct check_uses *uses = analyze_check_uses(check);

	for (size_t i = 0; uses && i < uses->count; i++)
		if (find_loose(uses, &uses->uses[i]) < uses->level_count)
			tell_loose(uses, &uses->uses[i]);
}

/* What is survived. */

/* How many buckets may be lost for sure, if so many shards may. */
static uint32_t count_sure(const struct check_lie *lie, uint32_t spare)
{
	return lie->bound > 0 ? spare / lie->bound : 0;
}

static void say_service(struct check *check, const struct check_use *use,
			const struct check_lie *lie, uint32_t sure)
{
	uint32_t spare = (uint32_t)use->want - (uint32_t)use->min_size, serves;

	if (use->min_size <= 0 || use->min_size > use->want)
		return;
	serves = count_sure(lie, spare);
	if (serves >= sure)
		return;
	if (serves > 0)
		analyze_check_say(check, "; I/O goes on without %" PRIu32, serves);
	else if (lie->stopped == 0)
		return;
	else
		analyze_check_say(check, "; the loss of one stops I/O for PGs");
	analyze_check_say(check, ", as min_size is %d", use->min_size);
}

static void say_survived(struct check_uses *uses, const struct check_use *use,
			 size_t level, size_t before)
{
	struct check *check = uses->check;
	const struct check_lie *lie = &use->lies[level];
	uint32_t sure = count_sure(lie, analyze_check_spare(use));
	uint32_t left = (uint32_t)use->want - sure * lie->bound;

	analyze_check_say(check, before > 0 ? ", any " : " any ");
	analyze_add_count(&check->message, sure, analyze_check_level(uses, level));
	analyze_check_say(check, " can be lost (%" PRIu32 " of %d %s left", left,
			  use->want, left == 1 ? "is" : "are");
	say_service(check, use, lie, sure);
	analyze_check_say(check, ")");
}

static void say_lost(struct check_uses *uses, const struct check_use *use, size_t level,
		     size_t before)
{
	struct check *check = uses->check;
	const struct check_lie *lie = &use->lies[level];
	uint32_t spare = analyze_check_spare(use);

	analyze_check_say(check, "%s not a %s", before > 0 ? ";" : "",
			  analyze_check_level(uses, level));
	if (lie->lost == 0) {
		analyze_check_say(check,
				  " for sure, though in none of %" PRIu64
				  " inputs too many lie on one",
				  use->inputs);
		return;
	}
	analyze_check_say(check, ": %.3g %% of PGs would lose ",
			  100 * (double)lie->losses / lie->buckets / (double)use->inputs);
	if (use->want == 1)
		analyze_check_say(check, "it");
	else if ((uint32_t)use->want == spare + 1)
		analyze_check_say(check, "all %d", use->want);
	else
		analyze_check_say(check, "%" PRIu32 " or more of %d", spare + 1,
				  use->want);
}

static void say_mappings(struct check *check, const struct check_use *use)
{
	if (use->bad > 0)
		return;
	if (use->odds >= 0)
		analyze_check_say(check,
				  ". No mapping is short: the chance is %.2g (exact)",
				  use->odds);
	else
		analyze_check_say(check,
				  ". No mapping is short among %" PRIu64
				  " inputs, so fewer than %.2g %% are",
				  use->inputs, 300 / (double)use->inputs);
}

/* A level of one bucket holds all there is. */
static bool is_level(const struct check_uses *uses, const struct check_use *use,
		     size_t level)
{
	return level >= use->domain && use->lies[level].buckets > 1 &&
	       uses->levels[level].buckets > 1;
}

static bool is_complete(const struct check_use *use)
{
	return use->inputs > 0 && use->room.most >= (uint32_t)use->want;
}

static void tell_survived(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;
	uint32_t spare = analyze_check_spare(use);
	size_t before = 0;

	analyze_check_begin_use(check, use);
	if (use->guess_k)
		analyze_check_say(check, ", of which %" PRIu32 " may usually be lost",
				  spare);
	analyze_check_say(check, use->bad > 0 ? ": where none is missing," : ":");
	for (size_t i = 0; i < uses->level_count; i++)
		if (is_level(uses, use, i) && count_sure(&use->lies[i], spare) > 0)
			say_survived(uses, use, i, before++);
	for (size_t i = 0; i < uses->level_count; i++)
		if (is_level(uses, use, i) && count_sure(&use->lies[i], spare) == 0)
			say_lost(uses, use, i, before++);
	if (before == 0)
		analyze_check_say(check, " all lie on one %s",
				  analyze_check_level(uses, use->domain));
	say_mappings(check, use);
	analyze_check_end(check);
}

static void find_survived(struct check *check)
{
	analyze_check_for_uses(check, true, is_complete, tell_survived);
	analyze_check_for_uses(check, false, is_complete, tell_survived);
}

static const struct check_kind kinds[] = {
	{"rule-domain", CHECK_WARNING,
	 "Let one take choose all of them, or let the takes lead to different ones, as "
	 "where the devices of each class have hosts or racks of their own.",
	 find_mixed},
	{"rule-level", CHECK_WARNING, "Name the level in the rule.", find_loose_levels},
	{"rule-survives", CHECK_INFO,
	 "Nothing to do, if that is what you want. What is to be survived must be named "
	 "by a step of the rule.",
	 find_survived},
};

const struct check_subject analyze_check_levels = CHECK_SUBJECT(kinds);
