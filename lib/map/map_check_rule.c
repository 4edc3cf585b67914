/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "map_priv.h"

/* Invariant 9. */

static struct map_text rule_label(const struct map_rule_draft *draft)
{
	struct map_text out;

	snprintf(out.text, sizeof(out.text), "rule %.64s%s(id %d)", draft->rule.name,
		 draft->rule.name[0] ? " " : "", (int)draft->rule.id);
	return out;
}

/* Is what a step takes missing because the reader refused things like it? */
static bool is_refused(const strew_builder *builder, const struct map_step_draft *step,
		       bool found)
{
	bool may_be_bucket = !found && (step->name || step->step.arg1 < 0);
	bool may_be_device = found || step->name || step->step.arg1 >= 0;

	return (may_be_bucket && builder->refuses_all[MAP_BUCKETS]) ||
	       (may_be_device && builder->refuses_all[MAP_DEVICES]);
}

static void report_take(strew_builder *builder, const struct map_rule_draft *rule,
			const struct map_step_draft *step)
{
	struct map_text label = rule_label(rule);
	uint32_t place = step->head.place;
	int32_t item = 0;
	bool found = step->name && map_find_item(builder, step->name, &item);

	if (is_refused(builder, step, found))
		return;
	if (step->name == NULL)
		map_fault(builder, place, "%s takes the item %d, which does not exist",
			  label.text, (int)step->step.arg1);
	else if (!found)
		map_fault(builder, place,
			  "%s takes \"%.96s\", but nothing has that name%s", label.text,
			  step->name, map_hint_item(builder, step->name).text);
	else if (map_class_index(builder, step->class_name) < 0)
		map_fault(
			builder, place,
			"%s takes the device class \"%.64s\", which does not exist%s",
			label.text, step->class_name,
			map_hint(builder, step->class_name, &builder->class_names).text);
	else if (!builder->lacks_shadows)
		map_fault(builder, place,
			  "%s takes %s for the device class %.64s, but there is no such "
			  "shadow bucket; add it or have the shadows derived",
			  label.text, map_label(builder, item).text, step->class_name);
}

static void check_step(strew_builder *builder, const struct map_rule_draft *rule,
		       const struct map_step_draft *step)
{
	const char *op = map_op_name((int)step->step.op);
	struct map_text label = rule_label(rule);
	uint32_t place = step->head.place;

	if (op == NULL && step->raw)
		map_warn_in_map(
			builder, place,
			"%s has a step of an unknown kind, %u, which does nothing",
			label.text, (unsigned)step->step.op);
	else if (op == NULL)
		map_fault(builder, place, "%s has a step of an unknown kind, %d",
			  label.text, (int)step->step.op);
	else if (step->unknown && step->step.op == STREW_OP_TAKE)
		report_take(builder, rule, step);
	else if (step->unknown && builder->refuses_all[MAP_TYPES])
		return;
	else if (step->unknown && step->name)
		map_fault(builder, place,
			  "%s chooses the type \"%.64s\", which does not exist%s",
			  label.text, step->name,
			  map_hint(builder, step->name, &builder->type_names).text);
	else if (step->unknown)
		map_fault(builder, place, "%s chooses the type %d, which does not exist",
			  label.text, (int)step->step.arg2);
	else if (step->name && !map_op_chooses((int)step->step.op) &&
		 step->step.op != STREW_OP_TAKE)
		map_fault(builder, place,
			  "%s names a type in the step %s, which chooses nothing",
			  label.text, op);
}

/* A rule on its way through the shape `set_msr_…*, (take BUCKET, choosemsr+, emit)*`. */
struct shape {
	size_t at;
	size_t count;
	const struct map_step_draft *steps;
};

static int op_at(const struct shape *shape)
{
	return shape->at < shape->count ? (int)shape->steps[shape->at].step.op : -1;
}

static void pass(struct shape *shape, int op, int other)
{
	while (shape->at < shape->count && (op_at(shape) == op || op_at(shape) == other))
		shape->at++;
}

/* Upstream answers a rule of another shape with an empty result; only what it can't
 * survive is refused. */
static void check_shape(strew_builder *builder, const struct map_rule_draft *rule,
			struct shape *shape)
{
	pass(shape, STREW_OP_SET_MSR_DESCENTS, STREW_OP_SET_MSR_COLLISION_TRIES);
	while (shape->at < shape->count) {
		const struct map_step_draft *take = &shape->steps[shape->at];

		if (op_at(shape) != STREW_OP_TAKE)
			break;
		shape->at++;
		if (op_at(shape) == STREW_OP_EMIT) {
			map_fault(builder, take->head.place,
				  "%s emits what it takes; an MSR rule needs choosemsr "
				  "steps between take and emit",
				  rule_label(rule).text);
			return;
		}
		if (take->step.arg1 >= 0)
			break;
		pass(shape, STREW_OP_CHOOSE_MSR, STREW_OP_CHOOSE_MSR);
		if (op_at(shape) != STREW_OP_EMIT)
			break;
		shape->at++;
	}
	if (shape->at < shape->count || shape->count == 0 ||
	    shape->steps[shape->count - 1].step.op != STREW_OP_EMIT)
		map_warn(builder, rule->head.place,
			 "%s gives nothing, because an MSR rule must be set_msr_… steps, "
			 "then blocks of: take a bucket, choosemsr steps, emit",
			 rule_label(rule).text);
}

static void check_msr(strew_builder *builder, const struct map_rule_draft *rule,
		      const struct map_step_draft *steps)
{
	struct shape shape = {0, rule->rule.step_count, steps};

	for (size_t i = 0; i < rule->rule.step_count; i++) {
		if (steps[i].step.op != STREW_OP_CHOOSE_MSR || steps[i].step.arg1 >= 0)
			continue;
		map_fault(builder, steps[i].head.place,
			  "%s has a choosemsr step for %d items; the number must be 0 or "
			  "more",
			  rule_label(rule).text, (int)steps[i].step.arg1);
		return;
	}
	check_shape(builder, rule, &shape);
}

static void check_rule(strew_builder *builder, const struct map_rule_draft *rule)
{
	strew_kind kind = rule->rule.kind;
	const struct map_step_draft *steps = builder->steps.items;
	size_t faults = builder->fault_count;

	/* Where no rule has steps there is no array to count from. */
	if (steps)
		steps += rule->first_step;
	if (rule->rule.step_count > MAP_STEPS_MAX) {
		map_fault(builder, rule->head.place,
			  "%s has %zu steps; at most %d are allowed",
			  rule_label(rule).text, rule->rule.step_count, MAP_STEPS_MAX);
		return;
	}
	if (kind != STREW_KIND_REPLICATED && kind != STREW_KIND_ERASURE &&
	    !map_kind_is_msr(kind))
		map_fault(builder, rule->head.place,
			  "%s is of kind %d; it must be replicated (1), erasure (3), "
			  "msr_firstn (4) or msr_indep (5)",
			  rule_label(rule).text, (int)kind);
	for (size_t i = 0; i < rule->rule.step_count; i++)
		check_step(builder, rule, &steps[i]);
	if (builder->fault_count == faults && map_kind_is_msr(kind))
		check_msr(builder, rule, steps);
}

void map_check_rules(strew_builder *builder)
{
	for (size_t i = 0; i < builder->rules.vec.count; i++) {
		const struct map_rule_draft *draft = map_list_at(&builder->rules, i);

		if (!draft->head.refused)
			check_rule(builder, draft);
	}
}
