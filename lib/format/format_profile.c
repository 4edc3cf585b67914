/* SPDX-License-Identifier: MIT */
/* Erasure code profiles, which our JSON and Ceph's write alike. */
#include "base_vec.h"
#include "format_walk.h"

static bool add_word(struct format_walk *walk, struct base_vec *words, const char *word)
{
	const char **room = base_vec_push(words, walk->allocator, sizeof(*room));

	if (room)
		*room = word;
	else
		walk->failed = true;
	return room != NULL;
}

/* Names and values of a profile's parameters, by turns. */
static bool read_parameters(struct format_walk *walk, json_t *profile,
			    struct base_vec *words)
{
	const char *name, *text = NULL;
	json_t *value;
	bool good = json_is_object(profile);

	if (!good)
		format_fault(walk, "expected an object, found %s",
			     format_kind_of(profile));
	json_object_foreach(profile, name, value)
	{
		size_t mark = format_enter(walk, name);

		good = format_text(walk, value, &text) && add_word(walk, words, name) &&
		       add_word(walk, words, text) && good;
		format_leave(walk, mark);
	}
	return good;
}

void format_profiles(struct format_walk *walk, const char *member, json_t *profiles)
{
	size_t mark = format_enter(walk, member);
	const char *name;
	json_t *profile;

	json_object_foreach(profiles, name, profile)
	{
		struct base_vec words = {0};
		size_t inner = format_enter(walk, name);

		if (read_parameters(walk, profile, &words))
			strew_builder_add_erasure_profile(format_builder(walk), name,
							  words.items, words.count / 2);
		format_leave(walk, inner);
		base_vec_free(&words, walk->allocator);
	}
	format_leave(walk, mark);
}
