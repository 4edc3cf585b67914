/* SPDX-License-Identifier: MIT */
/* Rules of a CRUSH dump, and tunables with what Ceph concludes from them and from the
 * rules. */
#include <string.h>

#include "format_ceph_write.h"

const char *format_ceph_step_word(const struct format_dialect *dialect, strew_op op)
{
	switch (op) {
	case STREW_OP_NOOP:
		return "noop";
	case STREW_OP_TAKE:
		return "take";
	case STREW_OP_EMIT:
		return "emit";
	case STREW_OP_CHOOSE_FIRSTN:
		return "choose_firstn";
	case STREW_OP_CHOOSE_INDEP:
		return "choose_indep";
	case STREW_OP_CHOOSELEAF_FIRSTN:
		return "chooseleaf_firstn";
	case STREW_OP_CHOOSELEAF_INDEP:
		return "chooseleaf_indep";
	case STREW_OP_SET_CHOOSE_TRIES:
		return "set_choose_tries";
	case STREW_OP_SET_CHOOSELEAF_TRIES:
		return "set_chooseleaf_tries";
	case STREW_OP_CHOOSE_MSR:
		return dialect->has_msr ? "choosemsr" : NULL;
	case STREW_OP_SET_MSR_DESCENTS:
		return dialect->has_msr ? "set_msr_descents" : NULL;
	case STREW_OP_SET_MSR_COLLISION_TRIES:
		return dialect->has_msr ? "set_msr_collision_tries" : NULL;
	default:
		return NULL;
	}
}

/* "" for one without a name. */
static const char *item_name(const strew_map *map, int32_t id)
{
	int64_t index = id < 0 ? map_bucket_index(map, id) : map_device_index(map, id);

	if (index < 0)
		return "";
	if (id < 0)
		return map->buckets[index].unnamed ? "" : map->buckets[index].name;
	return map->devices[index].unnamed ? "" : map->devices[index].name;
}

/* Types are told by name; one without can only be told by its number. */
static bool has_words(const struct format_ceph_out *out, const struct map_step *step)
{
	int64_t type;

	if (format_ceph_step_word(out->dialect, step->op) == NULL)
		return false;
	if (!map_op_chooses((int)step->op) || step->arg2 == 0)
		return true;
	type = map_type_index(out->map, step->arg2);
	return type >= 0 && !out->map->types[type].unnamed;
}

static void write_arguments(struct format_ceph_out *out, const struct map_step *step)
{
	if (step->op == STREW_OP_NOOP || step->op == STREW_OP_EMIT)
		return;
	if (step->op == STREW_OP_TAKE) {
		format_ceph_integer(out, "item", step->arg1);
		format_ceph_string(out, "item_name", item_name(out->map, step->arg1));
		return;
	}
	format_ceph_integer(out, "num", step->arg1);
	if (map_op_chooses((int)step->op))
		format_ceph_string(out, "type",
				   strew_map_type_name(out->map, step->arg2));
}

static void write_step(struct format_ceph_out *out, const struct map_step *step)
{
	format_ceph_open(out, NULL, '{');
	if (has_words(out, step)) {
		format_ceph_string(out, "op",
				   format_ceph_step_word(out->dialect, step->op));
		write_arguments(out, step);
	} else {
		format_ceph_integer(out, "opcode", (int32_t)step->op);
		format_ceph_integer(out, "arg1", step->arg1);
		format_ceph_integer(out, "arg2", step->arg2);
	}
	format_ceph_close(out, '}');
}

static void write_rule(struct format_ceph_out *out, const struct map_rule *rule)
{
	struct format_mask mask = format_mask(rule);

	format_ceph_open(out, NULL, '{');
	format_ceph_integer(out, "rule_id", rule->id);
	if (rule->name[0] != '\0')
		format_ceph_string(out, "rule_name", rule->name);
	if (out->dialect->has_masks)
		format_ceph_integer(out, "ruleset", mask.ruleset);
	format_ceph_integer(out, "type", rule->kind);
	if (out->dialect->has_masks) {
		format_ceph_integer(out, "min_size", mask.min_size);
		format_ceph_integer(out, "max_size", mask.max_size);
	}
	format_ceph_open(out, "steps", '[');
	for (size_t i = 0; i < rule->step_count; i++)
		write_step(out, &rule->steps[i]);
	format_ceph_close(out, ']');
	format_ceph_close(out, '}');
}

void format_ceph_write_rules(struct format_ceph_out *out)
{
	const strew_map *map = out->map;

	format_ceph_open(out, "rules", '[');
	for (size_t i = 0; i < map->rule_count && !format_out_stopped(&out->to); i++)
		write_rule(out, &map->rules[i]);
	format_ceph_close(out, ']');
}

static const char *minimum_version(const struct format_dialect *dialect,
				   const struct map_needs *needs)
{
	if (dialect->has_msr && needs->msr_rules)
		return "squid";
	if (needs->tunables5 || needs->v5_rules)
		return "jewel";
	if (needs->v4_buckets)
		return "hammer";
	if (needs->tunables3)
		return "firefly";
	return needs->tunables || needs->tunables2 ? "bobtail" : "argonaut";
}

/* The profile that the map has, whatever it has of what profiles leave alone. */
static const char *profile_of(const struct map_tunables *tunables)
{
	struct map_tunables known = *tunables, profile;
	const char *name;

	known.straw_calc_version = 1;
	known.msr_descents = known.msr_collision_tries = 100;
	name = map_nearest_profile(&known, &profile);
	return memcmp(&known, &profile, sizeof(known)) == 0 ? name : "unknown";
}

/* Ceph prints most of them as signed numbers. */
static void write_tunable(struct format_ceph_out *out, const char *name, uint32_t value)
{
	format_ceph_integer(out, name, (int32_t)value);
}

static void write_conclusions(struct format_ceph_out *out)
{
	struct map_needs needs = map_needs_of(out->map);
	const char *profile = profile_of(&out->map->tunables);

	format_ceph_string(out, "profile", profile);
	format_ceph_integer(out, "optimal_tunables", strcmp(profile, "jewel") == 0);
	format_ceph_integer(out, "legacy_tunables", strcmp(profile, "argonaut") == 0);
	format_ceph_string(out, "minimum_required_version",
			   minimum_version(out->dialect, &needs));
	format_ceph_integer(out, "require_feature_tunables", needs.tunables);
	format_ceph_integer(out, "require_feature_tunables2", needs.tunables2);
	format_ceph_integer(out, "has_v2_rules", needs.v2_rules);
	format_ceph_integer(out, "require_feature_tunables3", needs.tunables3);
	format_ceph_integer(out, "has_v3_rules", needs.v3_rules);
	format_ceph_integer(out, "has_v4_buckets", needs.v4_buckets);
	format_ceph_integer(out, "require_feature_tunables5", needs.tunables5);
	format_ceph_integer(out, "has_v5_rules", needs.v5_rules);
	if (out->dialect->has_msr)
		format_ceph_integer(out, "has_msr_rules", needs.msr_rules);
}

void format_ceph_write_tunables(struct format_ceph_out *out)
{
	const struct map_tunables *tunables = &out->map->tunables;

	format_ceph_open(out, "tunables", '{');
	write_tunable(out, "choose_local_tries", tunables->choose_local_tries);
	write_tunable(out, "choose_local_fallback_tries",
		      tunables->choose_local_fallback_tries);
	write_tunable(out, "choose_total_tries", tunables->choose_total_tries);
	write_tunable(out, "chooseleaf_descend_once", tunables->chooseleaf_descend_once);
	write_tunable(out, "chooseleaf_vary_r", tunables->chooseleaf_vary_r);
	write_tunable(out, "chooseleaf_stable", tunables->chooseleaf_stable);
	if (out->dialect->has_msr) {
		write_tunable(out, "msr_descents", tunables->msr_descents);
		write_tunable(out, "msr_collision_tries", tunables->msr_collision_tries);
	}
	write_tunable(out, "straw_calc_version", tunables->straw_calc_version);
	format_ceph_integer(out, "allowed_bucket_algs", tunables->allowed_bucket_algs);
	write_conclusions(out);
	format_ceph_close(out, '}');
}
