/* SPDX-License-Identifier: MIT */
#include "select.h"

#include <string.h>

#include "study.h"

/* The selectors and their names. flat_bucket.selector is a place in this list. */
#define LIST(X)                                                                          \
	X(straw2, "straw2")                                                              \
	X(straw, "straw")                                                                \
	X(list, "list")                                                                  \
	X(tree, "tree")                                                                  \
	X(uniform, "uniform")                                                            \
	X(modulo, "modulo")                                                              \
	X(ring, "ring")                                                                  \
	X(ring_short, "ring-short")                                                      \
	X(rendezvous, "rendezvous")                                                      \
	X(rendezvous_log, "rendezvous-log")                                              \
	X(rendezvous_apart, "rendezvous-apart")                                          \
	X(naive_weights, "naive-weights")                                                \
	X(carp, "carp")                                                                  \
	X(jump, "jump")                                                                  \
	X(glb, "glb")                                                                    \
	X(maglev, "maglev")                                                              \
	X(hash_slots, "hash-slots")                                                      \
	X(partitions, "partitions")                                                      \
	X(groups, "groups")                                                              \
	X(straw2_32, "straw2-32")                                                        \
	X(straw2_48, "straw2-48")

#define DECLARE(symbol, word) extern const struct select_ops select_##symbol;
LIST(DECLARE)

#define ADDRESS(symbol, word) &select_##symbol,
static const struct select_ops *const list[] = {LIST(ADDRESS)};

#define WORD(symbol, word) word,
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

uint32_t select_table_words(const struct select_ops *ops, uint32_t count)
{
	if (ops->study)
		return study_table_words(ops->study, count);
	return ops->table_words ? ops->table_words(count) : 0;
}

strew_status select_prepare(const struct select_ops *ops,
			    const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	if (ops->study)
		return study_prepare(ops->study, source, table, allocator, error);
	return ops->prepare(source, table, allocator, error);
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
