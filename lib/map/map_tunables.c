/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "map_priv.h"

struct tunable {
	const char *name;
	size_t offset;
	uint32_t max;
};

#define TUNABLE(name, max)                                                               \
	{                                                                                \
#name, offsetof(struct map_tunables, name), max                          \
	}

static const struct tunable tunables[] = {
	TUNABLE(choose_local_tries, UINT32_MAX),
	TUNABLE(choose_local_fallback_tries, UINT32_MAX),
	TUNABLE(choose_total_tries, UINT32_MAX),
	TUNABLE(chooseleaf_descend_once, UINT32_MAX),
	TUNABLE(chooseleaf_vary_r, UINT8_MAX),
	TUNABLE(chooseleaf_stable, UINT8_MAX),
	TUNABLE(straw_calc_version, UINT8_MAX),
	TUNABLE(allowed_bucket_algs, UINT32_MAX),
	TUNABLE(msr_descents, UINT32_MAX),
	TUNABLE(msr_collision_tries, UINT32_MAX),
};

#define TUNABLE_COUNT (sizeof(tunables) / sizeof(tunables[0]))

/* The profiles that are named after a release leave straw_calc_version alone. */
#define STRAW_AS_IT_IS UINT32_MAX

static const struct profile {
	const char *name;
	struct map_tunables values;
} profiles[] = {
	{"argonaut", {2, 5, 19, 0, 0, 0, STRAW_AS_IT_IS, 22, 100, 100}},
	{"legacy", {2, 5, 19, 0, 0, 0, 0, 22, 100, 100}},
	{"bobtail", {0, 0, 50, 1, 0, 0, STRAW_AS_IT_IS, 22, 100, 100}},
	{"firefly", {0, 0, 50, 1, 1, 0, STRAW_AS_IT_IS, 22, 100, 100}},
	{"hammer", {0, 0, 50, 1, 1, 0, STRAW_AS_IT_IS, 54, 100, 100}},
	{"jewel", {0, 0, 50, 1, 1, 1, STRAW_AS_IT_IS, 54, 100, 100}},
	{"optimal", {0, 0, 50, 1, 1, 1, 1, 54, 100, 100}},
	{"default", {0, 0, 50, 1, 1, 1, 1, 54, 100, 100}},
};

#define PROFILE_COUNT (sizeof(profiles) / sizeof(profiles[0]))
/* The last two are other names of the one before them. */
#define NAMED_AFTER_RELEASES (PROFILE_COUNT - 2)

static void set_profile(struct map_tunables *to, const struct profile *profile)
{
	uint32_t straw_calc_version = to->straw_calc_version;

	*to = profile->values;
	if (to->straw_calc_version == STRAW_AS_IT_IS)
		to->straw_calc_version = straw_calc_version;
}

void map_start_tunables(struct map_tunables *to)
{
	set_profile(to, &profiles[PROFILE_COUNT - 1]);
}

static uint32_t get(const struct map_tunables *from, size_t index)
{
	uint32_t value;

	memcpy(&value, (const char *)from + tunables[index].offset, sizeof(value));
	return value;
}

const char *map_tunable(const struct map_tunables *from, size_t index, uint32_t *value)
{
	if (index >= TUNABLE_COUNT)
		return NULL;
	*value = get(from, index);
	return tunables[index].name;
}

static size_t count_differences(const struct map_tunables *a,
				const struct map_tunables *b)
{
	size_t count = 0;

	for (size_t i = 0; i < TUNABLE_COUNT; i++)
		count += get(a, i) != get(b, i);
	return count;
}

/* Profiles are in order of age; of equals the newest is the one that people know, and its
 * name is better than "default", which will not always mean the same. */
const char *map_nearest_profile(const struct map_tunables *from,
				struct map_tunables *profile)
{
	size_t least = TUNABLE_COUNT + 1;
	const char *name = NULL;

	for (size_t i = 0; i < PROFILE_COUNT; i++) {
		struct map_tunables values;
		size_t count;

		map_start_tunables(&values);
		set_profile(&values, &profiles[i]);
		count = count_differences(from, &values);
		if (count > least || (count == least && i >= NAMED_AFTER_RELEASES))
			continue;
		least = count;
		name = profiles[i].name;
		*profile = values;
	}
	return name;
}

const char *map_nearest_tunable(const char *word)
{
	const char *names[TUNABLE_COUNT + 1] = {0}, *nearest;

	for (size_t i = 0; i < TUNABLE_COUNT; i++)
		names[i] = tunables[i].name;
	nearest = base_str_nearest(word, names);
	return nearest ? nearest : "choose_total_tries";
}

static const struct tunable *find_tunable(const char *name)
{
	for (size_t i = 0; i < TUNABLE_COUNT; i++)
		if (strcmp(tunables[i].name, name) == 0)
			return &tunables[i];
	return NULL;
}

bool map_tunable_max(const char *name, uint32_t *max)
{
	const struct tunable *tunable = find_tunable(name);

	if (tunable)
		*max = tunable->max;
	return tunable != NULL;
}

void map_set_tunable(struct map_tunables *to, const char *name, uint32_t value)
{
	memcpy((char *)to + find_tunable(name)->offset, &value, sizeof(value));
}

bool map_set_profile(struct map_tunables *to, const char *name)
{
	for (size_t i = 0; i < PROFILE_COUNT; i++) {
		if (strcmp(profiles[i].name, name) == 0) {
			set_profile(to, &profiles[i]);
			return true;
		}
	}
	return false;
}

void strew_builder_set_tunable(strew_builder *builder, const char *name, uint32_t value)
{
	uint32_t max;

	if (!map_tunable_max(name, &max))
		map_fault(builder, map_here(builder),
			  "there is no tunable \"%.64s\"; the nearest one is %s", name,
			  map_nearest_tunable(name));
	else if (value > max)
		map_fault(builder, map_here(builder),
			  "the tunable %s is %u; it must be at most %u", name, value,
			  max);
	else
		map_set_tunable(&builder->tunables, name, value);
}

void map_set_tunables(strew_builder *builder, const struct map_tunables *values)
{
	builder->tunables = *values;
}

void strew_builder_set_profile(strew_builder *builder, const char *name)
{
	if (!map_set_profile(&builder->tunables, name))
		map_fault(builder, map_here(builder),
			  "there is no tunables profile \"%.64s\"; " MAP_PROFILES, name);
}
