/* SPDX-License-Identifier: MIT */
#include "plan.h"

static void add_step(struct plan_rule *rule, int32_t op, int32_t arg1, int32_t arg2)
{
	if (rule->step_count < PLAN_STEPS_MAX)
		rule->steps[rule->step_count++] = (struct plan_step){op, arg1, arg2};
}

static const int32_t set_ops[] = {
	STREW_OP_SET_CHOOSE_TRIES,       STREW_OP_SET_CHOOSELEAF_TRIES,
	STREW_OP_SET_CHOOSE_LOCAL_TRIES, STREW_OP_SET_CHOOSE_LOCAL_FALLBACK_TRIES,
	STREW_OP_SET_CHOOSELEAF_VARY_R,  STREW_OP_SET_CHOOSELEAF_STABLE,
};

static void add_setting(struct plan *plan, struct plan_rule *rule)
{
	int32_t op = PLAN_PICK(plan, set_ops);
	int32_t value = -1 + plan_below(plan, 6);

	if (op == STREW_OP_SET_CHOOSE_TRIES && plan_once_in(plan, 2))
		value = plan_below(plan, 60);
	if (op == STREW_OP_SET_CHOOSELEAF_STABLE)
		value = -1 + plan_below(plan, 3);
	add_step(rule, op, value, 0);
}

static void add_take(struct plan *plan, struct plan_rule *rule)
{
	int32_t item = plan->buckets[plan_below(plan, plan->root_count)].id;

	if (plan_once_in(plan, 8))
		item = plan->buckets[plan_below(plan, plan->bucket_count)].id;
	if (plan->device_count && plan_once_in(plan, 40))
		item = plan->device_ids[plan_below(plan, plan->device_count)];
	add_step(rule, STREW_OP_TAKE, item, 0);
}

static int32_t choose_count(struct plan *plan)
{
	static const int32_t counts[] = {0, 0, 0, 1, 1, 2, 2, 3, 4, 6, -1, -2, 30};

	return PLAN_PICK(plan, counts);
}

static int32_t choose_op(struct plan *plan, bool firstn, bool leaf)
{
	/* Now and then the other way to choose, in the same rule. */
	if (plan_once_in(plan, 20))
		firstn = !firstn;
	if (leaf)
		return firstn ? STREW_OP_CHOOSELEAF_FIRSTN : STREW_OP_CHOOSELEAF_INDEP;
	return firstn ? STREW_OP_CHOOSE_FIRSTN : STREW_OP_CHOOSE_INDEP;
}

/** One draw a statement: compilers differ in the order in which they work out arguments,
 * and the plan must not. */
static void add_choose(struct plan *plan, struct plan_rule *rule, int32_t op,
		       int32_t type)
{
	int32_t count = choose_count(plan);

	add_step(rule, op, count, type);
}

/** Choose steps from the top down: each goes below the one before, mostly. */
static void add_chain(struct plan *plan, struct plan_rule *rule, bool firstn)
{
	int type = plan->levels;
	int steps = plan_below(plan, 4);
	int32_t op;

	for (int i = 0; i < steps && type > 0; i++) {
		type = plan_below(plan, type);
		if (plan_once_in(plan, 20))
			type = plan_below(plan, plan->levels + 1);
		op = choose_op(plan, firstn, plan_once_in(plan, 5));
		add_choose(plan, rule, op, type);
	}
	if (steps > 0 && (type == 0 || plan_once_in(plan, 3)))
		return;
	op = choose_op(plan, firstn, true);
	add_choose(plan, rule, op, type > 1 ? 1 + plan_below(plan, type) : type);
}

/** take, choose, emit, with oddities in between. */
static void add_block(struct plan *plan, struct plan_rule *rule, bool firstn)
{
	add_take(plan, rule);
	if (plan_once_in(plan, 10))
		add_setting(plan, rule);
	if (plan_once_in(plan, 30))
		add_step(rule, STREW_OP_NOOP, 0, 0);
	if (!plan_once_in(plan, 40))
		add_chain(plan, rule, firstn);
	if (!plan_once_in(plan, 50))
		add_step(rule, STREW_OP_EMIT, 0, 0);
	if (plan_once_in(plan, 30))
		add_step(rule, STREW_OP_EMIT, 0, 0);
}

static void make_rule(struct plan *plan, struct plan_rule *rule)
{
	bool firstn = plan_once_in(plan, 2);
	int settings = plan_once_in(plan, 2) ? plan_below(plan, 5) : 0;
	int blocks = plan_once_in(plan, 4) ? 2 + plan_below(plan, 2) : 1;

	rule->kind = firstn ? STREW_KIND_REPLICATED : STREW_KIND_ERASURE;
	rule->want = 1 + plan_below(plan, plan_once_in(plan, 10) ? PLAN_WANT_MAX : 8);
	for (int i = 0; i < settings; i++)
		add_setting(plan, rule);
	for (int i = 0; i < blocks; i++)
		add_block(plan, rule, firstn);
}

void plan_make_rules(struct plan *plan)
{
	plan->rule_count = 1 + plan_below(plan, PLAN_RULES_MAX);
	for (int i = 0; i < plan->rule_count; i++)
		make_rule(plan, &plan->rules[i]);
}
