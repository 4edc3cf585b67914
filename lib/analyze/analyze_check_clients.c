/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <string.h>

/** The oldest clients that can place by the map. */

/* Releases in order; what a kernel is, is a number: 4.13 is 413. */
static const char *const releases[] = {
	"argonaut (0.48)", "bobtail (0.56)",  "firefly (0.80)", "hammer (0.94)",
	"jewel (10.2)",    "luminous (12.2)", "reef (18.2)",    "squid (19.2)",
};

enum release { ARGONAUT, BOBTAIL, FIREFLY, HAMMER, JEWEL, LUMINOUS, REEF, SQUID };

#define NO_KERNEL 9999

struct feature {
	const char *what;
	enum release release;
	int kernel; /* 0: any; NO_KERNEL: none knows it */
	bool (*is_used)(const strew_map *map, const struct map_needs *needs);
};

static bool has_msr_rules(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->msr_rules;
}

static bool has_upmap_primaries(const strew_map *map, const struct map_needs *needs)
{
	(void)needs;
	for (size_t i = 0; i < map->override_count; i++)
		if (map->overrides[i].upmap_primary != STREW_NONE)
			return true;
	return false;
}

static bool has_upmaps(const strew_map *map, const struct map_needs *needs)
{
	(void)needs;
	for (size_t i = 0; i < map->override_count; i++)
		if (map->overrides[i].upmap || map->overrides[i].upmap_item_count > 0)
			return true;
	return false;
}

static bool has_weight_sets(const strew_map *map, const struct map_needs *needs)
{
	(void)needs;
	return map->weight_set_count > 0;
}

static bool has_stable(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->tunables5 || needs->v5_rules;
}

static bool has_straw2(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->v4_buckets;
}

static bool has_vary_r(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->tunables3 || needs->v3_rules;
}

static bool has_affinity(const strew_map *map, const struct map_needs *needs)
{
	(void)needs;
	for (size_t i = 0; i < map->device_count; i++)
		if (map->devices[i].primary_affinity != STREW_WEIGHT_ONE)
			return true;
	return false;
}

static bool has_indep(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->v2_rules;
}

static bool has_descend_once(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->tunables2;
}

static bool has_tunables(const strew_map *map, const struct map_needs *needs)
{
	(void)map;
	return needs->tunables;
}

/* From those that ask for most; doc/analyses/check.md has the table. */
static const struct feature features[] = {
	{"MSR rules", SQUID, NO_KERNEL, has_msr_rules},
	{"upmapped primaries", REEF, NO_KERNEL, has_upmap_primaries},
	{"upmaps", LUMINOUS, 413, has_upmaps},
	{"weight sets (choose_args)", LUMINOUS, 413, has_weight_sets},
	{"chooseleaf_stable", JEWEL, 405, has_stable},
	{"straw2", HAMMER, 401, has_straw2},
	{"chooseleaf_vary_r", FIREFLY, 315, has_vary_r},
	{"primary affinity", FIREFLY, 315, has_affinity},
	{"indep and set_ steps", FIREFLY, 314, has_indep},
	{"chooseleaf_descend_once", BOBTAIL, 309, has_descend_once},
	{"tunables other than argonaut's", BOBTAIL, 306, has_tunables},
};

#define FEATURE_COUNT (sizeof(features) / sizeof(features[0]))

/* The least that those which are used ask for, and the ones that ask for it. */
struct least {
	enum release release;
	int kernel;
	bool asks[FEATURE_COUNT];
};

static struct least find_least(const bool *used)
{
	struct least least = {.release = ARGONAUT};

	for (size_t i = 0; i < FEATURE_COUNT; i++) {
		if (used[i] && features[i].release > least.release)
			least.release = features[i].release;
		if (used[i] && features[i].kernel > least.kernel)
			least.kernel = features[i].kernel;
	}
	for (size_t i = 0; i < FEATURE_COUNT; i++)
		least.asks[i] = used[i] && (features[i].release == least.release ||
					    features[i].kernel == least.kernel);
	return least;
}

static void say_least(struct check *check, const struct least *least)
{
	const char *before = " for ";

	analyze_check_say(check, "Ceph %s, ", releases[least->release]);
	if (least->kernel == NO_KERNEL)
		analyze_check_say(check, "and no kernel client can");
	else if (least->kernel == 0)
		analyze_check_say(check, "kernel clients any Linux");
	else
		analyze_check_say(check, "kernel clients Linux %d.%d",
				  least->kernel / 100, least->kernel % 100);
	for (size_t i = 0; i < FEATURE_COUNT; i++) {
		if (!least->asks[i])
			continue;
		analyze_check_say(check, "%s%s", before, features[i].what);
		before = ", ";
	}
}

static void find_clients(struct check *check)
{
	struct map_needs needs = map_needs_of(check->map);
	bool used[FEATURE_COUNT], others = false;
	struct least least;

	for (size_t i = 0; i < FEATURE_COUNT; i++)
		used[i] = features[i].is_used(check->map, &needs);
	least = find_least(used);
	analyze_check_begin(check, "map");
	analyze_check_say(check, "clients need ");
	say_least(check, &least);
	for (size_t i = 0; i < FEATURE_COUNT; i++) {
		used[i] = used[i] && !least.asks[i];
		others |= used[i];
	}
	if (others) {
		least = find_least(used);
		analyze_check_say(check, "; without that ");
		say_least(check, &least);
	}
	analyze_check_end(check);
}

static const struct check_kind kinds[] = {
	{"client-release", CHECK_INFO,
	 "Older clients can't place by the map. 'ceph osd "
	 "set-require-min-compat-client' keeps them out; 'ceph features' shows who is "
	 "there.",
	 find_clients},
};

const struct check_subject analyze_check_clients = CHECK_SUBJECT(kinds);
