/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <inttypes.h>
#include <math.h>

/** What findings about rules have in common: whose they are, and how often it happens. */

const char *analyze_check_named(const struct check *check, int32_t type)
{
	const char *name = type == 0 ? "device" : strew_map_type_name(check->map, type);

	return name ? name : "?";
}

const char *analyze_check_level(const struct check_uses *uses, size_t level)
{
	return analyze_check_named(uses->check, uses->levels[level].type);
}

static void say_use(struct check *check, const struct check_use *use)
{
	analyze_check_say(check, "%d %s", use->want, analyze_check_shards(use));
	if (use->guess_want)
		analyze_check_say(check, " (a guess: no pool uses it)");
	if (use->pool == NULL)
		return;
	analyze_check_say(check, " (pool %s", use->pool->name);
	if (use->pools > 1)
		analyze_check_say(check, " and %zu more", use->pools - 1);
	if (use->k > 1 && !use->guess_k)
		analyze_check_say(check, ", %d+%d", use->k, use->want - use->k);
	analyze_check_say(check, ")");
}

void analyze_check_begin_use(struct check *check, const struct check_use *use)
{
	analyze_check_begin(check, "rule %s", use->rule->name);
	analyze_check_say(check, "with ");
	say_use(check, use);
}

/* Two standard errors, in percent. */
static double error_of(uint64_t hits, uint64_t inputs)
{
	double part = (double)hits / (double)inputs;

	return 200 * sqrt(part * (1 - part) / (double)inputs);
}

void analyze_check_say_rate(struct check *check, uint64_t hits,
			    const struct check_use *use)
{
	if (hits == use->inputs)
		analyze_check_say(check, "all PGs (counted over %" PRIu64 " inputs)",
				  use->inputs);
	else
		analyze_check_say(
			check, "%.3g %% of PGs (±%.1g, counted over %" PRIu64 " inputs)",
			100 * (double)hits / (double)use->inputs,
			error_of(hits, use->inputs), use->inputs);
}

void analyze_check_for_uses(struct check *check, bool with_pools,
			    bool (*is)(const struct check_use *),
			    void (*tell)(struct check_uses *, const struct check_use *))
{
	struct check_uses *uses = analyze_check_uses(check);

	for (size_t i = 0; uses && i < uses->count && check->status == STREW_OK; i++) {
		const struct check_use *use = &uses->uses[i];

		if ((use->pool != NULL) == with_pools && is(use))
			tell(uses, use);
	}
}
