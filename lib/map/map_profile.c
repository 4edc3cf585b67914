/* SPDX-License-Identifier: MIT */
/* Erasure code profiles: how a cluster's pools are coded. */
#include <stdlib.h>
#include <string.h>

#include "map_priv.h"

static int compare_keys(const void *left, const void *right)
{
	const struct map_parameter *a = left, *b = right;

	return strcmp(a->key, b->key);
}

void strew_builder_add_erasure_profile(strew_builder *builder, const char *name,
				       const char *const *words, size_t count)
{
	struct map_profile_draft *draft =
		map_push(builder, &builder->profiles, sizeof(*draft));
	struct map_parameter *parameters;

	if (draft == NULL)
		return;
	parameters = base_arena_alloc(&builder->kept, count, sizeof(*parameters));
	if (parameters == NULL) {
		builder->failed = true;
		return;
	}
	draft->profile.name = map_keep(builder, name);
	draft->profile.parameters = parameters;
	draft->profile.count = count;
	for (size_t i = 0; i < count && !builder->failed; i++) {
		parameters[i].key = map_keep_word(builder, words[2 * i]);
		parameters[i].value = map_keep(builder, words[2 * i + 1]);
	}
	if (count > 1 && !builder->failed)
		qsort(parameters, count, sizeof(*parameters), compare_keys);
}

static int compare_drafts(const void *left, const void *right)
{
	const struct map_profile_draft *a = left, *b = right;
	int order = strcmp(a->profile.name, b->profile.name);

	return order ? order : (a->number > b->number) - (a->number < b->number);
}

void map_settle_profiles(strew_builder *builder)
{
	struct map_profile_draft *drafts = builder->profiles.items;
	size_t count = builder->profiles.count, kept = 0;

	for (size_t i = 0; i < count; i++)
		drafts[i].number = i;
	if (count > 1)
		qsort(drafts, count, sizeof(*drafts), compare_drafts);
	/* Of one told twice the last stands. */
	for (size_t i = 0; i < count; i++)
		if (i + 1 == count ||
		    strcmp(drafts[i].profile.name, drafts[i + 1].profile.name) != 0)
			drafts[kept++] = drafts[i];
	builder->profiles.count = kept;
}

static int compare_name(const void *name, const void *draft)
{
	return strcmp(name, ((const struct map_profile_draft *)draft)->profile.name);
}

int map_profile_k(const strew_builder *builder, const char *name)
{
	const struct map_parameter wanted = {"k", NULL}, *found = NULL;
	const struct map_profile_draft *draft = NULL;
	char *end = NULL;
	long k;

	if (builder->profiles.count > 0)
		draft = bsearch(name, builder->profiles.items, builder->profiles.count,
				sizeof(*draft), compare_name);
	if (draft && draft->profile.count > 0)
		found = bsearch(&wanted, draft->profile.parameters, draft->profile.count,
				sizeof(wanted), compare_keys);
	if (found == NULL)
		return 0;
	k = strtol(found->value, &end, 10);
	return *end == '\0' && k > 0 && k <= UINT8_MAX ? (int)k : 0;
}

bool map_freeze_profiles(strew_map *map, strew_builder *builder)
{
	const struct map_profile_draft *drafts = builder->profiles.items;

	map->profile_count = builder->profiles.count;
	map->profiles = base_arena_alloc(&builder->kept, map->profile_count,
					 sizeof(*map->profiles));
	if (map->profiles == NULL)
		return false;
	for (size_t i = 0; i < map->profile_count; i++)
		map->profiles[i] = drafts[i].profile;
	return true;
}
