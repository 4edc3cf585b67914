/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "format_walk.h"

#define TUNABLES 10

struct tunables {
	int64_t values[TUNABLES];
	const char *profile;
};

#define NOT_GIVEN INT64_MIN

#define TUNABLE(key, index, min)                                                         \
	FORMAT_OPTIONAL_RANGE(key, tunables, values[index], min, UINT32_MAX)
/* In the order of the values. */
#define FIELDS(min)                                                                      \
	TUNABLE(KEY_STRAW_CALC_VERSION, 0, min),                                         \
		TUNABLE(KEY_CHOOSE_LOCAL_TRIES, 1, min),                                 \
		TUNABLE(KEY_CHOOSE_LOCAL_FALLBACK_TRIES, 2, min),                        \
		TUNABLE(KEY_CHOOSE_TOTAL_TRIES, 3, min),                                 \
		TUNABLE(KEY_CHOOSELEAF_DESCEND_ONCE, 4, min),                            \
		TUNABLE(KEY_CHOOSELEAF_VARY_R, 5, min),                                  \
		TUNABLE(KEY_CHOOSELEAF_STABLE, 6, min),                                  \
		TUNABLE(KEY_ALLOWED_BUCKET_ALGS, 7, min),                                \
		TUNABLE(KEY_MSR_DESCENTS, 8, min),                                       \
		TUNABLE(KEY_MSR_COLLISION_TRIES, 9, min)

static const struct format_field our_fields[] = {
	FIELDS(0),
	FORMAT_OPTIONAL(KEY_PROFILE, FORMAT_TEXT, tunables, profile),
};
/* Ceph prints most of their 32 bits as a signed number, and a profile of no account. */
static const struct format_field ceph_fields[] = {FIELDS(INT32_MIN)};
static const struct format_shape our_shape = {"set of tunables", our_fields, TUNABLES + 1,
					      false};
static const struct format_shape ceph_shape = {"set of tunables", ceph_fields, TUNABLES,
					       true};

static bool read_tunables(struct format_walk *walk, json_t *value, bool is_ceph,
			  struct tunables *tunables)
{
	if (is_ceph)
		return format_object(walk, value, &ceph_shape, tunables);
	if (json_is_object(value))
		return format_object(walk, value, &our_shape, tunables);
	if (json_is_string(value)) {
		tunables->profile = json_string_value(value);
		return true;
	}
	format_fault(walk,
		     "expected the name of a profile, such as \"jewel\", or an object, "
		     "found %s",
		     format_kind_of(value));
	return false;
}

static void set_profile(struct format_walk *walk, const char *profile,
			uint8_t *straw_calc_version)
{
	strew_builder_set_profile(format_builder(walk), profile);
	/* The profiles that are named after a release say nothing of it. */
	if (strcmp(profile, "legacy") == 0)
		*straw_calc_version = 0;
}

void format_tunables(struct format_walk *walk, json_t *value, bool is_ceph,
		     uint8_t *straw_calc_version)
{
	struct tunables tunables = {.profile = NULL};
	size_t mark = format_enter(walk, "tunables");

	for (int i = 0; i < TUNABLES; i++)
		tunables.values[i] = NOT_GIVEN;
	if (!read_tunables(walk, value, is_ceph, &tunables))
		goto out;
	if (tunables.profile)
		set_profile(walk, tunables.profile, straw_calc_version);
	for (int i = 0; i < TUNABLES; i++)
		if (tunables.values[i] != NOT_GIVEN)
			strew_builder_set_tunable(format_builder(walk),
						  format_key_name(our_fields[i].key),
						  (uint32_t)tunables.values[i]);
	/* Maps in the wild have 2 here; every value but 0 means the newer lengths. */
	if (tunables.values[0] != NOT_GIVEN)
		*straw_calc_version = tunables.values[0] != 0;
out:
	format_leave(walk, mark);
}
