/* SPDX-License-Identifier: MIT */
/* Few questions, which are answered item by item: in a bin most lanes would be idle. */
#include "select_many.h"
#include "straw2_kernel.h"

/* Questions about rows of one kind, and whose they are. */
struct few {
	uint32_t count;
	struct straw2_part parts[STRAW2_FEW];
	uint32_t at[STRAW2_FEW];
	const struct flat_bucket *buckets[STRAW2_FEW];
};

static inline struct straw2_row row_of(const struct select_batch *batch, uint32_t at,
				       const struct flat_bucket *bucket)
{
	const struct flat_args *args = NULL;

	if (batch->set)
		args = flat_args_of(batch->flat, batch->set,
				    flat_bucket_index(batch->flat, bucket));
	return straw2_row_of(bucket, args, batch->position ? batch->position[at] : 0);
}

static inline void add(struct few *few, const struct select_batch *batch, uint32_t at,
		       const struct straw2_row *row)
{
	straw2_make_part(&few->parts[few->count], row, 0, batch->x[at], batch->r[at]);
	few->buckets[few->count] = row->bucket;
	few->at[few->count++] = at;
}

/* The winner, when the kernel isn't sure of it. */
static uint32_t look_closer(const struct few *few, const struct select_kernel *kernel,
			    const struct select_batch *batch, uint32_t i)
{
	uint32_t at = few->at[i];
	struct straw2_row row = row_of(batch, at, few->buckets[i]);

	return straw2_choose_closely(kernel, &row, batch->x[at], batch->r[at]);
}

static inline void ask(struct few *few, const struct select_kernel *kernel,
		       const struct select_batch *batch, enum straw2_kind kind)
{
	if (few->count == 0)
		return;
	kernel->parts(few->parts, few->count);
	for (uint32_t i = 0; i < few->count; i++) {
		const struct straw2_part *part = &few->parts[i];
		uint32_t index = straw2_index_of(kind, part->first);

		if (part->second >= straw2_part_limit(part))
			index = look_closer(few, kernel, batch, i);
		batch->refs[few->at[i]] = flat_refs(few->buckets[i])[index];
	}
}

/* Can a kernel of straw2 answer? */
static inline bool is_fit(const struct flat_bucket *bucket, uint16_t straw2)
{
	return bucket->count <= STRAW2_ITEMS && bucket->selector == straw2;
}

void straw2_choose_few(const struct select_kernel *kernel,
		       const struct select_batch *batch)
{
	struct few equal, mixed; /* not cleared: they are large */
	uint16_t straw2 = select_index(&select_straw2);
	size_t others[STRAW2_FEW];
	uint32_t other_count = 0;

	equal.count = 0;
	mixed.count = 0;
	for (uint32_t i = 0; i < batch->count; i++) {
		struct straw2_row row = {
			.bucket = flat_bucket_of(batch->flat, batch->refs[i]),
			.kind = STRAW2_ODD,
		};

		if (row.bucket->count <= 1) {
			batch->refs[i] = select_only_item(row.bucket);
			continue;
		}
		if (is_fit(row.bucket, straw2))
			row = row_of(batch, i, row.bucket);
		if (row.kind == STRAW2_ODD)
			others[other_count++] = i;
		else
			add(row.kind == STRAW2_EQUAL ? &equal : &mixed, batch, i, &row);
	}
	ask(&equal, kernel, batch, STRAW2_EQUAL);
	ask(&mixed, kernel, batch, STRAW2_MIXED);
	if (other_count > 0)
		select_ask_others(kernel, batch, others, other_count);
}
