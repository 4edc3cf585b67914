/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <string.h>

/** Tunables and algorithms of old. */

struct expected {
	const char *name;
	size_t offset;
	uint32_t value;
};

#define EXPECTED(name, value)                                                            \
	{                                                                                \
#name, offsetof(struct map_tunables, name), value                        \
	}

static uint32_t tunable(const struct check *check, const struct expected *expected)
{
	const char *tunables = (const char *)&check->map->tunables;
	uint32_t value;

	memcpy(&value, tunables + expected->offset, sizeof(value));
	return value;
}

static void compare_tunables(struct check *check, const struct expected *all,
			     size_t count)
{
	size_t found = 0;

	analyze_check_begin(check, "tunables");
	for (size_t i = 0; i < count; i++) {
		uint32_t value = tunable(check, &all[i]);

		if (value == all[i].value)
			continue;
		analyze_check_say(check, "%s%s is %u in place of %u",
				  found++ > 0 ? ", " : "", all[i].name, value,
				  all[i].value);
	}
	if (found > 0)
		analyze_check_end(check);
}

static void find_legacy(struct check *check)
{
	static const struct expected all[] = {
		EXPECTED(choose_local_tries, 0),
		EXPECTED(choose_local_fallback_tries, 0),
		EXPECTED(chooseleaf_descend_once, 1),
		EXPECTED(chooseleaf_vary_r, 1),
	};

	compare_tunables(check, all, sizeof(all) / sizeof(all[0]));
}

static void find_older(struct check *check)
{
	static const struct expected all[] = {EXPECTED(chooseleaf_stable, 1)};

	compare_tunables(check, all, sizeof(all) / sizeof(all[0]));
}

static void find_few_tries(struct check *check)
{
	uint32_t tries = check->map->tunables.choose_total_tries;

	if (tries >= 50)
		return;
	analyze_check_begin(check, "tunables");
	analyze_check_say(check, "choose_total_tries is %u; 50 is usual", tries);
	analyze_check_end(check);
}

static bool is_straw(const strew_bucket *bucket)
{
	return bucket->shadow_of == 0 && strcmp(bucket->alg, "straw") == 0;
}

static void find_straw(struct check *check)
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		const strew_bucket *bucket = &check->map->buckets[i];

		if (!is_straw(bucket))
			continue;
		analyze_check_begin(check, "bucket %s", bucket->name);
		analyze_check_say(check, "%s %s chooses by straw",
				  analyze_check_type(check, bucket), bucket->name);
		if (bucket->straw_calc_version == 0)
			analyze_check_say(check, ", and its straw lengths are made in "
						 "the old way (straw_calc_version 0), "
						 "which errs with equal weights and 0");
		analyze_check_end(check);
	}
}

static const struct check_kind kinds[] = {
	{"tunables-legacy", CHECK_WARNING,
	 "Plan a change to the profile hammer or newer: the old values move more data "
	 "than "
	 "needed and spread it worse. The change itself moves data; maptool diff tells "
	 "how much.",
	 find_legacy},
	{"tunables-tries", CHECK_WARNING,
	 "Set it to 50 or more: a rule gives up earlier, and placement groups stay "
	 "without "
	 "a copy.",
	 find_few_tries},
	{"straw-bucket", CHECK_WARNING,
	 "Convert it to straw2 (ceph osd crush set-all-straw-buckets-to-straw2): with "
	 "straw a change of one weight moves data between the others too.",
	 find_straw},
	{"tunables-older", CHECK_INFO,
	 "The profile jewel moves less data when a device leaves. The change to it moves "
	 "much, once; maptool diff tells how much.",
	 find_older},
};

const struct check_subject analyze_check_settings = CHECK_SUBJECT(kinds);
