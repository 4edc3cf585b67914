/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <inttypes.h>

/** Whether rules find what they ask for. */

#define RARE 1e-6 /* so seldom bad is no finding */

/* Rules that lack places, domains or tries. */

static bool lacks_steps(const struct check_use *use)
{
	return use->room.asked < (uint32_t)use->want;
}

static bool lacks_domains(const struct check_use *use)
{
	return !lacks_steps(use) && (use->room.most < use->room.asked ||
				     (use->room.least < use->room.asked && use->bad > 0));
}

static bool lacks_tries(const struct check_use *use)
{
	return !lacks_steps(use) && !lacks_domains(use) &&
	       (use->bad > 0 || use->odds > RARE);
}

static bool is_uncounted(const struct check_use *use)
{
	return use->effort > CHECK_TRIES_MAX && use->room.asked > 0;
}

static void tell_steps(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;

	analyze_check_begin_use(check, use);
	analyze_check_say(check,
			  ", every mapping is short: the steps place %" PRIu32 " of them",
			  use->room.asked);
	analyze_check_end(check);
}

static void say_lack(struct check *check, const struct check_use *use)
{
	const struct check_room *room = &use->room;

	analyze_check_say(check, ": it asks for ");
	analyze_add_count(&check->message, room->wanted,
			  analyze_check_named(check, room->type));
	analyze_check_say(check, " in %s, and %" PRIu32 " there can hold data",
			  check->map->buckets[room->below].name, room->found);
}

static void tell_domains(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;
	const struct check_room *room = &use->room;

	analyze_check_begin_use(check, use);
	if (room->most < room->asked)
		analyze_check_say(check, ", every mapping is short by at least %" PRIu32,
				  room->asked - room->most);
	else
		analyze_check_say(check, ", mappings are short for ");
	if (room->most >= room->asked)
		analyze_check_say_rate(check, use->bad, use);
	if (room->wanted > room->found) {
		say_lack(check, use);
		analyze_check_advise(check, "Add ");
		analyze_add_count(&check->advice, room->wanted - room->found,
				  analyze_check_named(check, room->type));
		analyze_check_advise(check,
				     " to %s that can hold data, or ask for fewer: more "
				     "tries do not help.",
				     check->map->buckets[room->below].name);
	}
	analyze_check_end(check);
}

static void say_odds(struct check *check, const struct check_use *use)
{
	if (use->odds < 0)
		analyze_check_say_rate(check, use->bad, use);
	else
		analyze_check_say(check,
				  "%.3g %% of PGs (exact; %" PRIu64 " of %" PRIu64
				  " inputs that were counted)",
				  100 * use->odds, use->bad, use->inputs);
}

static void say_cure(struct check *check, const struct check_cure *cure)
{
	for (size_t i = 0; cure->tried > 0 && i < cure->count; i++) {
		if (i == 0)
			analyze_check_say(check, "; with %" PRIu32 " tries ",
					  cure->tries[i]);
		else
			analyze_check_say(check, ", with %" PRIu32 " ", cure->tries[i]);
		if (cure->left[i] == 0)
			analyze_check_say(check, "none");
		else
			analyze_check_say(check, "%zu", cure->left[i]);
		if (i == 0)
			analyze_check_say(check, " of %zu stay%s short", cure->tried,
					  cure->left[i] == 1 ? "s" : "");
	}
}

static void advise_tries(struct check *check, const struct check_use *use,
			 const struct check_cure *cure)
{
	if (!cure->cured)
		analyze_check_advise(check,
				     "It isn't tries that lack: look for what hangs in "
				     "several places, is out, or weighs next to nothing "
				     "beside the others.");
	else if (map_kind_is_msr(use->rule->kind))
		analyze_check_advise(
			check, "Begin the rule with \"set_msr_descents %" PRIu32 "\".",
			cure->tries[cure->count - 1]);
	else
		analyze_check_advise(
			check,
			"Begin the rule with \"set_choose_tries %" PRIu32
			"\": what is placed well stays where it is. Or add "
			"a %s.",
			cure->tries[cure->count - 1],
			analyze_check_named(check, analyze_failure_type(use->rule)));
}

static void say_pgs(struct check *check, uint64_t pgs, uint64_t count)
{
	if (pgs > 0)
		analyze_check_say(check,
				  "; of the %" PRIu64 " PGs that there are %" PRIu64
				  " %s short now",
				  pgs, count, count == 1 ? "is" : "are");
}

static void tell_tries(struct check_uses *uses, const struct check_use *use)
{
	struct check *check = uses->check;
	struct check_cure cure = {.count = 0};
	uint64_t pgs = 0, count = 0;

	analyze_check_begin_use(check, use);
	analyze_check_say(check, ", %" PRIu32 " tries leave a mapping short for ",
			  use->tries);
	say_odds(check, use);
	check->status = analyze_check_cure(uses, use, &cure);
	if (check->status == STREW_OK && use->pool)
		check->status = analyze_check_pgs(uses, use, &pgs, &count);
	if (check->status != STREW_OK)
		return;
	say_pgs(check, pgs, count);
	say_cure(check, &cure);
	advise_tries(check, use, &cure);
	analyze_check_end(check);
}

static void tell_uncounted(struct check_uses *uses, const struct check_use *use)
{
	analyze_check_begin_use(uses->check, use);
	analyze_check_say(uses->check,
			  ", a place may take up to %.0f tries: none were placed to "
			  "count what comes of it",
			  use->effort);
	analyze_check_end(uses->check);
}

static void find_pool_steps(struct check *check)
{
	analyze_check_for_uses(check, true, lacks_steps, tell_steps);
}

static void find_rule_steps(struct check *check)
{
	analyze_check_for_uses(check, false, lacks_steps, tell_steps);
}

static void find_pool_domains(struct check *check)
{
	analyze_check_for_uses(check, true, lacks_domains, tell_domains);
}

static void find_rule_domains(struct check *check)
{
	analyze_check_for_uses(check, false, lacks_domains, tell_domains);
}

static void find_pool_tries(struct check *check)
{
	analyze_check_for_uses(check, true, lacks_tries, tell_tries);
}

static void find_rule_tries(struct check *check)
{
	analyze_check_for_uses(check, false, lacks_tries, tell_tries);
}

static void find_uncounted(struct check *check)
{
	analyze_check_for_uses(check, true, is_uncounted, tell_uncounted);
	analyze_check_for_uses(check, false, is_uncounted, tell_uncounted);
}

/* A rule that no pool uses does no harm yet. */
static const struct check_kind kinds[] = {
	{"rule-steps", CHECK_ERROR,
	 "Let the steps ask for as many as the pool's size: a 0 in the place of a number "
	 "stands for it.",
	 find_pool_steps},
	{"rule-steps", CHECK_WARNING,
	 "If it is meant for this size, let the steps ask for as many: a 0 in the place "
	 "of a number stands for the size.",
	 find_rule_steps},
	{"rule-domains", CHECK_ERROR,
	 "See to it that there are as many that can hold data as the rule asks for.",
	 find_pool_domains},
	{"rule-domains", CHECK_WARNING,
	 "See to it that there are as many that can hold data as the rule asks for, "
	 "before a pool uses it.",
	 find_rule_domains},
	{"rule-tries", CHECK_ERROR, "Let the rule try more often.", find_pool_tries},
	{"rule-tries", CHECK_WARNING, "Let the rule try more often.", find_rule_tries},
	{"rule-uncounted", CHECK_WARNING,
	 "Fewer tries do: some hundreds find all that can be found. What can't be placed "
	 "takes all of them, in each client.",
	 find_uncounted},
};

const struct check_subject analyze_check_rules = CHECK_SUBJECT(kinds);
