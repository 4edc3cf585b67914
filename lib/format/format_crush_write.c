/* SPDX-License-Identifier: MIT */
/* Writes CRUSH text, byte for byte as the `crushtool -d` of a release does. */
#include "format_crush_write.h"

#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "format_ceph_write.h"
#include "format_crush_text.h"
#include "format_words.h"

static void put(struct format_crush_out *out, const char *text)
{
	format_out_put(&out->to, text);
}

/* A weight as it is printed: sign, and a number with so many decimals. */
struct decimal {
	bool is_negative;
	uint64_t digits;
	uint64_t scale;
};

/* A float has 24 bits: those of an integer beyond are rounded away. */
static struct decimal print(uint32_t weight, int decimals)
{
	int64_t number = (int64_t)(float)(int32_t)weight;
	struct decimal out = {number < 0, 0, 1};
	uint64_t rest;

	for (int i = 0; i < decimals; i++)
		out.scale *= 10;
	out.digits = (uint64_t)(number < 0 ? -number : number) * out.scale;
	rest = out.digits % STREW_WEIGHT_ONE;
	out.digits /= STREW_WEIGHT_ONE;
	if (rest * 2 > STREW_WEIGHT_ONE ||
	    (rest * 2 == STREW_WEIGHT_ONE && out.digits % 2 == 1))
		out.digits++;
	return out;
}

void format_crush_add_weight(struct base_str *text, uint32_t weight, int decimals)
{
	struct decimal number = print(weight, decimals);

	base_str_addf(text, "%s%llu.%0*llu", number.is_negative ? "-" : "",
		      (unsigned long long)(number.digits / number.scale), decimals,
		      (unsigned long long)(number.digits % number.scale));
}

/* Up to 2^31 * 10^5 the digits fit a double, whose quotient by the scale is as near as
 * can be; for these few decimals its float is the one that strtof makes of the text. */
bool format_crush_reread(uint32_t weight, int decimals, uint32_t *out)
{
	struct decimal number = print(weight, decimals);
	float value = (float)((double)number.digits / (double)number.scale);

	if (value >= 65536.0f)
		return false;
	*out = format_crush_round(number.is_negative ? -value : value);
	return true;
}

/* Those that releases know of, in their order. */
static const struct printed {
	const char *name;
	uint32_t legacy;
	bool is_msr;
} printed[] = {
	{"choose_local_tries", 2, false},  {"choose_local_fallback_tries", 5, false},
	{"choose_total_tries", 19, false}, {"chooseleaf_descend_once", 0, false},
	{"chooseleaf_vary_r", 0, false},   {"chooseleaf_stable", 0, false},
	{"msr_descents", 100, true},       {"msr_collision_tries", 100, true},
	{"straw_calc_version", 0, false},  {"allowed_bucket_algs", 22, false},
};

static uint32_t tunable_of(const strew_map *map, const char *name)
{
	const char *found;
	uint32_t value = 0;

	for (size_t i = 0; (found = map_tunable(&map->tunables, i, &value)); i++)
		if (strcmp(found, name) == 0)
			return value;
	return 0;
}

/* As signed numbers, which is how releases print them. */
static void write_tunables(struct format_crush_out *out)
{
	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		uint32_t value = tunable_of(out->map, printed[i].name);

		if (value == printed[i].legacy ||
		    (printed[i].is_msr && !out->dialect->has_msr))
			continue;
		base_str_addf(&out->to.text, "tunable %s %d\n", printed[i].name,
			      (int)value);
	}
}

static void write_devices(struct format_crush_out *out)
{
	const strew_map *map = out->map;

	put(out, "\n# devices\n");
	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];

		if (device->unnamed)
			continue;
		base_str_addf(&out->to.text, "device %d %s", (int)device->id,
			      device->name);
		if (device->class_name) {
			put(out, " class ");
			put(out, device->class_name);
		}
		put(out, "\n");
		format_out_pass(&out->to);
	}
}

static void write_types(struct format_crush_out *out)
{
	const strew_map *map = out->map;
	bool is_first = true;

	put(out, "\n# types\n");
	for (size_t i = 0; i < map->type_count; i++) {
		const struct map_type *type = &map->types[i];

		if (type->unnamed)
			continue;
		if (is_first && type->id != 0)
			put(out, "type 0 osd\n");
		is_first = false;
		base_str_addf(&out->to.text, "type %d %s\n", (int)type->id, type->name);
	}
}

const char *format_crush_item_name(const strew_map *map, int32_t id)
{
	int64_t index = id < 0 ? map_bucket_index(map, id) : map_device_index(map, id);

	if (index < 0)
		return "";
	return id < 0 ? map->buckets[index].name : map->devices[index].name;
}

const char *format_crush_type_name(const strew_map *map, int32_t id)
{
	int64_t index = map_type_index(map, id);

	return index < 0 ? "" : map->types[index].name;
}

static void write_take(struct format_crush_out *out, const struct map_step *step)
{
	const strew_bucket *bucket = NULL;

	if (step->arg1 < 0)
		bucket = strew_map_bucket_by_id(out->map, step->arg1);
	if (bucket && bucket->shadow_of != 0)
		base_str_addf(&out->to.text, "\tstep take %s class %s\n",
			      format_crush_item_name(out->map, bucket->shadow_of),
			      bucket->class_name);
	else
		base_str_addf(&out->to.text, "\tstep take %s\n",
			      format_crush_item_name(out->map, step->arg1));
}

/* What a release doesn't know it doesn't print. */
static void write_step(struct format_crush_out *out, const struct map_step *step)
{
	const char *word = map_op_name((int)step->op);

	if (word == NULL || (map_op_is_msr((int)step->op) && !out->dialect->has_msr))
		return;
	if (step->op == STREW_OP_TAKE)
		write_take(out, step);
	else if (map_op_chooses((int)step->op))
		base_str_addf(&out->to.text, "\tstep %s %d type %s\n", word,
			      (int)step->arg1,
			      format_crush_type_name(out->map, step->arg2));
	else if (step->op == STREW_OP_EMIT || step->op == STREW_OP_NOOP)
		base_str_addf(&out->to.text, "\tstep %s\n", word);
	else
		base_str_addf(&out->to.text, "\tstep %s %d\n", word, (int)step->arg1);
}

bool format_crush_has_kind(const struct format_dialect *dialect, strew_kind kind)
{
	return kind == STREW_KIND_REPLICATED || kind == STREW_KIND_ERASURE ||
	       dialect->has_msr;
}

static void write_rule(struct format_crush_out *out, const struct map_rule *rule)
{
	struct base_str *text = &out->to.text;
	struct format_mask mask = format_mask(rule);

	base_str_addf(text, "rule %s {\n\tid %d\n", rule->name, (int)rule->id);
	if (out->dialect->has_masks && mask.ruleset != rule->id)
		base_str_addf(text,
			      "\t# WARNING: ruleset %d != id %d; this will not recompile "
			      "to the same map\n",
			      mask.ruleset, (int)rule->id);
	if (format_crush_has_kind(out->dialect, rule->kind))
		base_str_addf(text, "\ttype %s\n",
			      format_word_for(WORD_KIND, rule->kind));
	else
		base_str_addf(text, "\ttype %d\n", (int)rule->kind);
	if (out->dialect->has_masks)
		base_str_addf(text, "\tmin_size %d\n\tmax_size %d\n", mask.min_size,
			      mask.max_size);
	for (size_t i = 0; i < rule->step_count; i++)
		write_step(out, &rule->steps[i]);
	put(out, "}\n");
	format_out_pass(&out->to);
}

static void write_rows(struct format_crush_out *out, const struct map_weights *weights,
		       size_t count)
{
	put(out, "    weight_set [\n");
	for (size_t i = 0; i < weights->positions; i++) {
		put(out, "      [ ");
		for (size_t j = 0; j < count; j++) {
			format_crush_add_weight(&out->to.text,
						weights->rows[i * count + j],
						out->dialect->weight_decimals);
			put(out, " ");
		}
		put(out, "]\n");
		format_out_pass(&out->to);
	}
	put(out, "    ]\n");
}

static void write_weights(struct format_crush_out *out, const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(out->map, weights->bucket)->item_count;

	base_str_addf(&out->to.text, "  {\n    bucket_id %d\n", (int)weights->bucket);
	if (weights->positions > 0)
		write_rows(out, weights, count);
	if (weights->ids) {
		put(out, "    ids [ ");
		for (size_t i = 0; i < count; i++)
			base_str_addf(&out->to.text, "%d ", (int)weights->ids[i]);
		put(out, "]\n");
	}
	put(out, "  }\n");
}

static void write_weight_sets(struct format_crush_out *out)
{
	const strew_map *map = out->map;

	if (map->weight_set_count > 0)
		put(out, "\n# choose_args\n");
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];

		base_str_addf(&out->to.text, "choose_args %llu {\n",
			      (unsigned long long)set->id);
		for (size_t j = 0; j < set->bucket_count && !format_out_stopped(&out->to);
		     j++)
			write_weights(out, &set->buckets[j]);
		put(out, "}\n");
	}
}

static void write_document(struct format_crush_out *out)
{
	put(out, "# begin crush map\n");
	write_tunables(out);
	write_devices(out);
	write_types(out);
	put(out, "\n# buckets\n");
	format_crush_write_tree(out);
	put(out, "\n# rules\n");
	for (size_t i = 0; i < out->map->rule_count && !format_out_stopped(&out->to); i++)
		write_rule(out, &out->map->rules[i]);
	write_weight_sets(out);
	put(out, "\n# end crush map\n");
}

strew_status format_crush_write(const strew_map *map, const struct format_output *output,
				strew_error *error)
{
	struct format_crush_out out = {.map = map, .dialect = output->dialect};
	struct format_losses losses = {.output = output};
	strew_status status;

	status = format_ceph_accept(map, error);
	if (status != STREW_OK)
		return status;
	format_out_init(&out.to, output);
	if (format_crush_list_shadows(&out))
		format_crush_lose(&losses, &out);
	else
		format_out_no_memory(&out.to);
	status = format_losses_end(&losses, "crush-text", error);
	if (status == STREW_OK && !format_out_stopped(&out.to))
		write_document(&out);
	format_names_free(&out.classes, output->allocator);
	base_free(output->allocator, out.shadows, out.shadow_room * sizeof(*out.shadows));
	return status == STREW_OK ? format_out_end(&out.to, error)
				  : format_out_drop(&out.to, status);
}
