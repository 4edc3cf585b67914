/* SPDX-License-Identifier: MIT */
#include "select.h"

#include <string.h>

/* The selectors. flat_bucket.selector is a place in this list. */
#define LIST(X)                                                                          \
	X(straw2)                                                                        \
	X(straw)                                                                         \
	X(list)                                                                          \
	X(tree)                                                                          \
	X(uniform)

#define DECLARE(name) extern const struct select_ops select_##name;
LIST(DECLARE)

#define ADDRESS(name) &select_##name,
static const struct select_ops *const list[] = {LIST(ADDRESS)};

#define WORD(name) #name,
static const char *const names[] = {LIST(WORD) NULL};

#define COUNT (sizeof(list) / sizeof(list[0]))

const struct select_ops *select_find(const char *name)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (strcmp(list[i]->name, name) == 0)
			return list[i];
	}
	return NULL;
}

const struct select_ops *select_at(uint16_t index)
{
	return list[index];
}

uint16_t select_index(const struct select_ops *ops)
{
	uint16_t index = 0;

	while (list[index] != ops)
		index++;
	return index;
}

const char *const *select_names(void)
{
	return names;
}

uint32_t select_choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	return list[bucket->selector]->choose(bucket, in);
}

uint32_t select_explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates)
{
	return list[bucket->selector]->explain(bucket, in, candidates);
}
