/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "format_write.h"

void format_lose(struct format_losses *losses, const char *format, ...)
{
	const struct format_output *output = losses->output;
	char fact[sizeof(losses->first)];
	va_list args;

	va_start(args, format);
	vsnprintf(fact, sizeof(fact), format, args);
	va_end(args);
	base_str_make_printable(fact);
	if (losses->count++ == 0)
		memcpy(losses->first, fact, sizeof(fact));
	if (output->lost)
		output->lost(output->ctx, fact);
}

static void check_text(struct format_losses *losses, const char *what, int64_t id,
		       const char *text)
{
	if (!format_is_utf8(text))
		format_lose(losses, "the name of %s %lld is not UTF-8: \"%.200s\"", what,
			    (long long)id, text);
}

static void check_strays(struct format_losses *losses, const strew_map *map)
{
	static const char *const words[] = {"type", "item", "rule"};

	for (size_t i = 0; i < map->stray_count; i++)
		if (map->strays[i].kind < MAP_STRAY_CLASS)
			check_text(losses, words[map->strays[i].kind], map->strays[i].id,
				   map->strays[i].name);
}

static void check_profile(struct format_losses *losses, const struct map_profile *profile)
{
	bool good = format_is_utf8(profile->name);

	for (size_t i = 0; i < profile->count; i++)
		good = good && format_is_utf8(profile->parameters[i].key) &&
		       format_is_utf8(profile->parameters[i].value);
	if (!good)
		format_lose(losses, "the erasure code profile \"%.200s\" is not UTF-8",
			    profile->name);
}

void format_lose_names(struct format_losses *losses, const strew_map *map)
{
	if (!format_is_utf8(map->name))
		format_lose(losses, "the map's name is not UTF-8: \"%.200s\"", map->name);
	for (size_t i = 0; i < map->type_count; i++)
		check_text(losses, "type", map->types[i].id, map->types[i].name);
	for (size_t i = 0; i < map->class_count; i++)
		check_text(losses, "class", map->classes[i].id, map->classes[i].name);
	for (size_t i = 0; i < map->bucket_count; i++)
		check_text(losses, "bucket", map->buckets[i].id, map->buckets[i].name);
	for (size_t i = 0; i < map->rule_count; i++)
		check_text(losses, "rule", map->rules[i].id, map->rules[i].name);
	for (size_t i = 0; i < map->device_count; i++)
		check_text(losses, "device", map->devices[i].id, map->devices[i].name);
	for (size_t i = 0; i < map->weight_set_count; i++)
		check_text(losses, "weight set", map->weight_sets[i].id,
			   map->weight_sets[i].name);
	for (size_t i = 0; i < map->pool_count; i++)
		check_text(losses, "pool", map->pools[i].id, map->pools[i].name);
	for (size_t i = 0; i < map->profile_count; i++)
		check_profile(losses, &map->profiles[i]);
	check_strays(losses, map);
}

void format_lose_set_names(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];
		char number[32];

		snprintf(number, sizeof(number), "%lld", (long long)set->id);
		if (strcmp(set->name, number) != 0)
			format_lose(losses, "the name of weight set %s, \"%.96s\"",
				    number, set->name);
	}
}

strew_status format_losses_end(const struct format_losses *losses, const char *format,
			       strew_error *error)
{
	if (losses->count == 0 || losses->output->lossy)
		return STREW_OK;
	return base_error_set(error, STREW_ENOTSUP,
			      "%zu fact%s of the map can't be held by %s, and that was "
			      "not allowed; the first: %s",
			      losses->count, losses->count == 1 ? "" : "s", format,
			      losses->first);
}
