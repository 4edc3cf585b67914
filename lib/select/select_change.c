/* SPDX-License-Identifier: MIT */
/* Which answers of a bucket another map may change: doc/selectors/straw2.md. */
#include <string.h>

#include "straw2_kernel.h"

static struct straw2_row row_of(const struct select_side *side)
{
	return straw2_row_of(side->bucket, side->args, 0);
}

static bool is_straw2(const struct flat_bucket *bucket)
{
	return select_at(bucket->selector) == &select_straw2;
}

static bool is_equal(const void *left, const void *right, uint32_t count)
{
	return memcmp(left, right, count * sizeof(uint32_t)) == 0;
}

/* Do they have the same in them? Then what they answer is the same, too. */
static bool are_same(const struct select_side *from, const struct select_side *to)
{
	const struct flat_bucket *a = from->bucket, *b = to->bucket;
	struct straw2_row x, y;

	if (a->count != b->count || a->selector != b->selector || a->hash != b->hash ||
	    a->uniform != b->uniform || a->table_words != b->table_words ||
	    !is_equal(flat_ids(a), flat_ids(b), a->count))
		return false;
	if (a->count == 0)
		return true;
	if (!is_straw2(a))
		return a->id == b->id &&
		       is_equal(flat_weights(a), flat_weights(b), a->count) &&
		       is_equal(flat_table(a), flat_table(b), a->table_words);
	x = row_of(from);
	y = row_of(to);
	return is_equal(x.ids, y.ids, a->count) &&
	       is_equal(x.weights, y.weights, a->count);
}

/* Two rows being compared, item by item. */
struct comparison {
	struct straw2_row from;
	struct straw2_row to;
	struct select_change *change;
};

/* @return false: too many rise. */
static bool add_riser(struct comparison *comparison, uint32_t index, uint32_t old)
{
	struct select_change *change = comparison->change;

	if (change->riser_count == SELECT_RISERS)
		return false;
	change->risers[change->riser_count++] = (struct select_riser){
		.was = old,
		.id = (uint32_t)comparison->to.ids[index],
		.scale = straw2_scale(comparison->to.weights[index]),
	};
	return true;
}

/* An item that both have. */
static bool pair(struct comparison *comparison, uint32_t old, uint32_t index)
{
	uint32_t before = comparison->from.weights[old];
	uint32_t after = comparison->to.weights[index];
	bool other = comparison->from.ids[old] != comparison->to.ids[index];

	comparison->change->items[old] = (struct select_item){
		.to = flat_refs(comparison->to.bucket)[index],
		.falls = other || after < before,
		.id = (uint32_t)comparison->to.ids[index],
		.scale = straw2_scale(comparison->to.weights[index]),
	};
	return (!other && after <= before) || add_riser(comparison, index, old);
}

/* Where the old item comes next, if it isn't far. */
static uint32_t find_next(const struct comparison *comparison, uint32_t old,
			  uint32_t start)
{
	const struct flat_bucket *to = comparison->to.bucket;
	int32_t id = flat_ids(comparison->from.bucket)[old];

	for (uint32_t i = start; i < to->count && i <= start + SELECT_RISERS; i++) {
		if (flat_ids(to)[i] == id)
			return i;
	}
	return to->count;
}

/* Items that are paired keep their order. What isn't paired is gone, or new, or, if it
 * has changed places, both. */
static bool compare_items(struct comparison *comparison)
{
	uint32_t next = 0, count = comparison->to.bucket->count;

	for (uint32_t old = 0; old < comparison->from.bucket->count; old++) {
		uint32_t found = find_next(comparison, old, next);

		if (found == count) {
			comparison->change->items[old] =
				(struct select_item){.to = FLAT_NONE, .falls = true};
			continue;
		}
		while (next < found) {
			if (!add_riser(comparison, next++, SELECT_NEW))
				return false;
		}
		if (!pair(comparison, old, next++))
			return false;
	}
	while (next < count) {
		if (!add_riser(comparison, next++, SELECT_NEW))
			return false;
	}
	return true;
}

enum select_extent select_compare(const struct select_side *from,
				  const struct select_side *to,
				  struct select_change *change)
{
	struct comparison comparison = {.change = change};

	change->riser_count = 0;
	if (are_same(from, to))
		return SELECT_SAME;
	if (!is_straw2(from->bucket) || !is_straw2(to->bucket) ||
	    from->bucket->count == 0 || to->bucket->count == 0)
		return SELECT_ANY;
	comparison.from = row_of(from);
	comparison.to = row_of(to);
	if (comparison.from.kind == STRAW2_ODD || comparison.to.kind == STRAW2_ODD)
		return SELECT_ANY;
	return compare_items(&comparison) ? SELECT_SOME : SELECT_ANY;
}

void select_probe(const struct select_kernel *kernel, struct select_probe *probe)
{
	if (kernel->probe) {
		kernel->probe(probe);
		return;
	}
	for (uint32_t i = 0; i < SELECT_PROBES; i++)
		probe->beaten[i] = 1;
}
