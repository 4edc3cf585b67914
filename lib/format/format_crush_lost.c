/* SPDX-License-Identifier: MIT */
/* What CRUSH text can't hold of a map: it would be read back as another one. */
#include <stdio.h>
#include <string.h>

#include "format_crush_write.h"
#include "format_scan.h"

/* The reader's limits. */
#define RULE_ID_MAX 255

static void lose_name(struct format_losses *losses, const char *what, int64_t id,
		      const char *name)
{
	if (!format_is_name(name))
		format_lose(losses,
			    "%s %lld, whose name has characters that no name in this "
			    "format has: \"%.96s\"",
			    what, (long long)id, name);
}

static void lose_names(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->type_count; i++)
		lose_name(losses, "type", map->types[i].id, map->types[i].name);
	for (size_t i = 0; i < map->device_count; i++)
		lose_name(losses, "device", map->devices[i].id, map->devices[i].name);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			lose_name(losses, "bucket", map->buckets[i].id,
				  map->buckets[i].name);
	for (size_t i = 0; i < map->rule_count; i++)
		if (map->rules[i].name[0] != '\0')
			lose_name(losses, "rule", map->rules[i].id, map->rules[i].name);
	for (size_t i = 0; i < map->class_count; i++)
		lose_name(losses, "device class", map->classes[i].id,
			  map->classes[i].name);
}

/* What has no name is printed with one that stands in, or not at all. */
static void lose_unnamed(struct format_losses *losses, const strew_map *map)
{
	bool has_types = false;

	for (size_t i = 0; i < map->type_count; i++) {
		has_types |= !map->types[i].unnamed;
		if (map->types[i].unnamed && map->types[i].id != 0)
			format_lose(losses, "that type %d has no name",
				    (int)map->types[i].id);
	}
	if (has_types && map->types[0].unnamed)
		format_lose(losses, "that the type of devices has no name");
	for (size_t i = 0; i < map->device_count; i++)
		if (map->devices[i].unnamed)
			format_lose(losses, "device %d, which has no name",
				    (int)map->devices[i].id);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].unnamed)
			format_lose(losses, "that bucket %d has no name",
				    (int)map->buckets[i].id);
}

static void lose_tunables(struct format_losses *losses, const strew_map *map,
			  const struct format_dialect *dialect)
{
	const char *name;
	uint32_t value;

	for (size_t i = 0; (name = map_tunable(&map->tunables, i, &value)); i++) {
		bool is_msr = strncmp(name, "msr_", 4) == 0;

		if (is_msr && !dialect->has_msr && value != FORMAT_CRUSH_MSR_USUAL)
			format_lose(losses,
				    "the tunable %s, %u, which Ceph %s doesn't have; "
				    "squid does",
				    name, value, dialect->name);
		else if (value > INT32_MAX)
			format_lose(losses, "the tunable %s, %u, which is printed as %d",
				    name, value, (int)value);
	}
	if (map->tunables.chooseleaf_descend_once > 1)
		format_lose(losses,
			    "the tunable chooseleaf_descend_once, %u, which is read as 1",
			    map->tunables.chooseleaf_descend_once);
}

/* Why a step is not read back as it is, or NULL. */
static const char *reason_to_lose(const struct map_step *step,
				  const struct format_dialect *dialect)
{
	const char *word = map_op_name((int)step->op);

	if (word == NULL)
		return "which has no word";
	if (map_op_is_msr((int)step->op) && !dialect->has_msr)
		return "which this release has no word for; squid does";
	if (step->op == STREW_OP_NOOP)
		return "which is not read again";
	if (strncmp(word, "set_", 4) == 0 && step->arg1 < 0)
		return "which sets a negative number";
	if (!map_op_chooses((int)step->op) && step->arg2 != 0)
		return "whose second argument means nothing";
	if (step->op == STREW_OP_EMIT && step->arg1 != 0)
		return "whose argument means nothing";
	return NULL;
}

static void lose_steps(struct format_losses *losses, const struct map_rule *rule,
		       const struct format_dialect *dialect)
{
	for (size_t i = 0; i < rule->step_count; i++) {
		const char *reason = reason_to_lose(&rule->steps[i], dialect);
		const char *word = map_op_name((int)rule->steps[i].op);

		if (reason)
			format_lose(losses, "step %zu (%s, op %d) of rule %d %.96s, %s",
				    i + 1, word ? word : "unknown",
				    (int)rule->steps[i].op, (int)rule->id, rule->name,
				    reason);
	}
	if (rule->step_count == 0)
		format_lose(losses, "the rule %d %.96s, which has no steps",
			    (int)rule->id, rule->name);
}

static void lose_mask(struct format_losses *losses, const struct map_rule *rule,
		      const struct format_dialect *dialect)
{
	struct format_mask mask = format_mask(rule);

	if (!dialect->has_masks && format_mask_tells(rule))
		format_lose(losses,
			    "ruleset %d, min_size %d and max_size %d of rule %d %.96s, "
			    "which Ceph %s doesn't have",
			    mask.ruleset, mask.min_size, mask.max_size, (int)rule->id,
			    rule->name, dialect->name);
	else if (mask.ruleset != (uint8_t)rule->id)
		format_lose(losses, "ruleset %d of rule %d %.96s, which becomes its id",
			    mask.ruleset, (int)rule->id, rule->name);
}

static void lose_rules(struct format_losses *losses, const strew_map *map,
		       const struct format_dialect *dialect)
{
	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		if (rule->id > RULE_ID_MAX)
			format_lose(losses,
				    "the rule %d %.96s; in this format ids of rules end "
				    "at %d",
				    (int)rule->id, rule->name, RULE_ID_MAX);
		if (!format_crush_has_kind(dialect, rule->kind))
			format_lose(losses,
				    "the type of rule %d %.96s, which Ceph %s has no "
				    "word for; squid does",
				    (int)rule->id, rule->name, dialect->name);
		lose_mask(losses, rule, dialect);
		lose_steps(losses, rule, dialect);
	}
}

/* What other stored maps have that is not theirs to use. */
static void lose_stored(struct format_losses *losses, const strew_map *map)
{
	const struct map_layout *layout = &map->layout;
	size_t names = 0;

	for (size_t i = 0; i < map->stray_count; i++)
		names += map->strays[i].kind != MAP_STRAY_SHADOW;
	if (names > 0)
		format_lose(losses, "%zu name%s or classes of things that don't exist",
			    names, names == 1 ? "" : "s");
	if (layout->bucket_slots || layout->rule_slots || layout->tail)
		format_lose(losses, "how the map was stored: the empty places in its "
				    "arrays, or an old release's shorter tail");
	if (layout->rest_count > 0)
		format_lose(losses, "%zu bytes after the parts that are known",
			    layout->rest_count);
}

void format_crush_lose(struct format_losses *losses, const struct format_crush_out *out)
{
	const strew_map *map = out->map;

	format_lose_cluster(losses, map);
	lose_names(losses, map);
	lose_unnamed(losses, map);
	lose_tunables(losses, map, out->dialect);
	format_crush_lose_tree(losses, out);
	lose_rules(losses, map, out->dialect);
	format_lose_set_names(losses, map);
	lose_stored(losses, map);
}
