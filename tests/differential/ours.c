/* SPDX-License-Identifier: MIT */
#include "ours.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const alg_names[] = {
	[PLAN_UNIFORM] = "uniform", [PLAN_LIST] = "list",     [PLAN_TREE] = "tree",
	[PLAN_STRAW] = "straw",     [PLAN_STRAW2] = "straw2",
};

static void need(strew_status status, const strew_error *error)
{
	if (status == STREW_OK)
		return;
	fprintf(stderr, "we don't take a plan: %s: %s\n", strew_status_name(status),
		error->text);
	exit(EXIT_FAILURE);
}

static void set_tunables(strew_builder *builder, const struct plan_tunables *tunables)
{
	strew_builder_set_tunable(builder, "choose_local_tries", tunables->local_tries);
	strew_builder_set_tunable(builder, "choose_local_fallback_tries",
				  tunables->fallback_tries);
	strew_builder_set_tunable(builder, "choose_total_tries", tunables->total_tries);
	strew_builder_set_tunable(builder, "chooseleaf_descend_once",
				  tunables->descend_once);
	strew_builder_set_tunable(builder, "chooseleaf_vary_r", tunables->vary_r);
	strew_builder_set_tunable(builder, "chooseleaf_stable", tunables->stable);
	strew_builder_set_tunable(builder, "straw_calc_version",
				  tunables->straw_calc_version);
}

static void add_types(strew_builder *builder, int levels)
{
	static const char *const names[] = {"device", "host", "rack", "room", "root"};

	for (int32_t type = 0; type <= levels; type++)
		strew_builder_add_type(builder, type, names[type]);
}

static void add_devices(strew_builder *builder, const struct plan *plan)
{
	for (int i = 0; i < plan->device_count; i++) {
		int32_t id = plan->device_ids[i];

		strew_builder_add_device(builder, id, NULL, NULL);
		strew_builder_set_reweight(builder, id, plan->reweights[id]);
	}
}

static void add_bucket(strew_builder *builder, const struct plan *plan,
		       const struct plan_bucket *bucket)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	char name[32];

	snprintf(name, sizeof(name), "bucket%d", (int)bucket->id);
	desc.id = bucket->id;
	desc.name = name;
	desc.type = bucket->type;
	desc.alg = alg_names[bucket->alg];
	desc.hash = bucket->hash;
	desc.straw_calc_version = (uint8_t)plan->tunables.straw_calc_version;
	strew_builder_add_bucket(builder, &desc);
	for (int i = 0; i < bucket->count; i++)
		strew_builder_add_item(builder, bucket->id, bucket->items[i],
				       bucket->weights[i], STREW_ITEM_TWICE_OK);
}

static void add_step(strew_builder *builder, const struct plan_step *step)
{
	switch (step->op) {
	case STREW_OP_TAKE:
		strew_builder_add_take(builder, step->arg1);
		break;
	case STREW_OP_CHOOSE_FIRSTN:
	case STREW_OP_CHOOSE_INDEP:
	case STREW_OP_CHOOSELEAF_FIRSTN:
	case STREW_OP_CHOOSELEAF_INDEP:
		strew_builder_add_choose(builder, (strew_op)step->op, step->arg1,
					 step->arg2, NULL);
		break;
	default:
		strew_builder_add_step(builder, (strew_op)step->op, step->arg1);
	}
}

static void add_rule(strew_builder *builder, const struct plan_rule *rule, int id)
{
	char name[32];

	snprintf(name, sizeof(name), "rule%d", id);
	strew_builder_add_rule(builder, id, name, (strew_kind)rule->kind);
	for (int i = 0; i < rule->step_count; i++)
		add_step(builder, &rule->steps[i]);
}

static void add_weight_set(strew_builder *builder, const struct plan *plan)
{
	strew_builder_add_weight_set(builder, 0, NULL);
	for (int i = 0; i < plan->bucket_count; i++) {
		const struct plan_bucket *bucket = &plan->buckets[i];

		for (int position = 0; position < bucket->positions; position++)
			strew_builder_add_weight_row(builder, bucket->id,
						     bucket->rows[position],
						     (size_t)bucket->count);
		if (bucket->has_ids)
			strew_builder_set_weight_ids(builder, bucket->id, bucket->ids,
						     (size_t)bucket->count);
	}
}

static strew_map *make_map(const struct plan *plan)
{
	strew_builder *builder;
	strew_map *map = NULL;
	strew_error error = {0};

	need(strew_builder_new(&builder, NULL), &error);
	set_tunables(builder, &plan->tunables);
	add_types(builder, plan->levels);
	add_devices(builder, plan);
	for (int i = 0; i < plan->bucket_count; i++)
		add_bucket(builder, plan, &plan->buckets[i]);
	for (int i = 0; i < plan->rule_count; i++)
		add_rule(builder, &plan->rules[i], i);
	if (plan->has_weight_set)
		add_weight_set(builder, plan);
	need(strew_builder_build(&map, builder, &error), &error);
	strew_builder_free(builder);
	return map;
}

void ours_make(struct ours *out, const struct plan *plan, const char *kernel)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_map *map = make_map(plan);
	strew_error error = {0};

	options.kernel = kernel;
	need(strew_placer_new(&out->placer, map, &options, &error), &error);
	need(strew_scratch_new(&out->scratch, out->placer, &error), &error);
	strew_map_release(map);
}

void ours_free(struct ours *ours)
{
	strew_scratch_free(ours->scratch);
	strew_placer_release(ours->placer);
}
