/* SPDX-License-Identifier: MIT */
/* Few questions, which are answered item by item: in a bin most lanes would be idle. */
#include "select_many.h"
#include "straw2_kernel.h"

/* A kind of question besides those of rows. */
#define ANSWERED 4u

/* Questions, each as a part, in the order of their batch. */
struct few {
	uint32_t kinds[STRAW2_FEW];
	struct straw2_part parts[STRAW2_FEW];
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

/* @return the question's kind; only what is for a kernel of straw2 becomes a part. */
static inline uint32_t make_part(struct straw2_part *part,
				 const struct select_batch *batch, uint32_t at,
				 uint16_t straw2)
{
	const struct flat_bucket *bucket = flat_bucket_of(batch->flat, batch->refs[at]);
	struct straw2_row row;

	if (bucket->count <= 1) {
		batch->refs[at] = select_only_item(bucket);
		return ANSWERED;
	}
	if (bucket->selector != straw2 || bucket->count > STRAW2_ITEMS)
		return STRAW2_ODD;
	row = row_of(batch, at, bucket);
	straw2_make_part(part, &row, 0, batch->x[at], batch->r[at]);
	return row.kind;
}

static uint32_t look_closer(const struct select_kernel *kernel,
			    const struct select_batch *batch, uint32_t at)
{
	const struct flat_bucket *bucket = flat_bucket_of(batch->flat, batch->refs[at]);
	struct straw2_row row = row_of(batch, at, bucket);

	return straw2_choose_closely(kernel, &row, batch->x[at], batch->r[at]);
}

/* Take what has won. */
static inline void settle(const struct select_kernel *kernel,
			  const struct select_batch *batch, uint32_t at,
			  const struct straw2_part *part, enum straw2_kind kind)
{
	const struct flat_bucket *bucket = flat_bucket_of(batch->flat, batch->refs[at]);
	uint32_t index = straw2_index_of(kind, part->first);

	if (part->second >= straw2_part_limit(part))
		index = look_closer(kernel, batch, at);
	batch->refs[at] = flat_refs(bucket)[index];
}

/* Those of one kind among others. */
static void ask_kind(const struct few *few, const struct select_kernel *kernel,
		     const struct select_batch *batch, enum straw2_kind kind)
{
	struct straw2_part parts[STRAW2_FEW];
	uint32_t at[STRAW2_FEW], count = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		if (few->kinds[i] != kind)
			continue;
		parts[count] = few->parts[i];
		at[count++] = i;
	}
	if (count == 0)
		return;
	kernel->parts(parts, count);
	for (uint32_t i = 0; i < count; i++)
		settle(kernel, batch, at[i], &parts[i], kind);
}

void straw2_choose_few(const struct select_kernel *kernel,
		       const struct select_batch *given)
{
	struct few few;                           /* not cleared: it's large */
	const struct select_batch batch = *given; /* a copy can stay in registers */
	uint32_t any = 0, all = UINT32_MAX, count = (uint32_t)batch.count, odd_count = 0;
	size_t odd[STRAW2_FEW];
	uint16_t straw2 = select_index(&select_straw2);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t kind = make_part(&few.parts[i], &batch, i, straw2);

		few.kinds[i] = kind;
		any |= kind;
		all &= kind;
		odd[odd_count] = i;
		odd_count += kind == STRAW2_ODD;
	}
	if (any != all) {
		ask_kind(&few, kernel, given, STRAW2_EQUAL);
		ask_kind(&few, kernel, given, STRAW2_MIXED);
	} else if (any == STRAW2_EQUAL || any == STRAW2_MIXED) {
		kernel->parts(few.parts, count);
		for (uint32_t i = 0; i < count; i++)
			settle(kernel, &batch, i, &few.parts[i], any);
	}
	if (odd_count > 0)
		select_ask_others(kernel, given, odd, odd_count);
}
