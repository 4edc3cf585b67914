/* SPDX-License-Identifier: MIT */
/*
 * The table of a study: how many nodes there are, what each is called, their hashes, two
 * words each, their weights; then the scheme's own.
 */
#include "study.h"

#include "base_alloc.h"
#include "base_error.h"

#define WORDS_PER_NODE 4

/* What buckets use: they have no settings of their own. Tables grow with the bucket, by
 * doubling: whoever looks up another number of rows finds other nodes. */
#define BUCKET_LABELS  100
#define BUCKET_ROWS    100
#define BUCKET_BRANCH  16
#define BUCKET_MINIMUM 256

static struct study_settings bucket_settings(uint32_t count)
{
	struct study_settings settings = {
		.by_mean = true,
		.labels = BUCKET_LABELS,
		.rows = BUCKET_MINIMUM,
		.branch = BUCKET_BRANCH,
	};

	while (settings.rows / BUCKET_ROWS < count)
		settings.rows *= 2;
	return settings;
}

uint64_t study_words(const struct study_ops *ops, const struct study_source *source)
{
	return 1 + (uint64_t)WORDS_PER_NODE * source->count +
	       (ops->words ? ops->words(source) : 0);
}

struct study study_read(const uint32_t *words, const struct study_settings *settings)
{
	uint32_t count = words[0];

	return (struct study){
		.settings = settings,
		.count = count,
		.names = words + 1,
		.hashes = words + 1 + count,
		.weights = words + 1 + (size_t)3 * count,
		.table = words + 1 + (size_t)WORDS_PER_NODE * count,
	};
}

/* Those with weight. */
static uint32_t count_nodes(const struct study_source *source)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < source->count; i++)
		count += source->weights[i] > 0;
	return count;
}

static void fill_nodes(const struct study_source *source, uint32_t *words)
{
	uint32_t count = count_nodes(source), node = 0;
	uint32_t *names = words + 1, *hashes = names + count;
	uint32_t *weights = hashes + (size_t)2 * count;

	words[0] = count;
	for (uint32_t i = 0; i < source->count; i++) {
		if (source->weights[i] == 0)
			continue;
		names[node] = i;
		hashes[2 * node] = (uint32_t)source->hashes[i];
		hashes[2 * node + 1] = (uint32_t)(source->hashes[i] >> 32);
		weights[node] = source->weights[i];
		node++;
	}
}

strew_status study_make(const struct study_ops *ops, const struct study_source *source,
			uint32_t *words, const strew_allocator *allocator,
			strew_error *error)
{
	struct study study;

	fill_nodes(source, words);
	study = study_read(words, source->settings);
	if (ops->fill == NULL || study.count == 0)
		return STREW_OK;
	return ops->fill(&study, source, words + 1 + (size_t)WORDS_PER_NODE * study.count,
			 allocator, error);
}

uint32_t study_pick(const struct study_ops *ops, const struct study *study, uint64_t key,
		    uint32_t want, uint32_t *names)
{
	uint32_t count;

	if (want > study->count)
		want = study->count;
	if (want > STUDY_WANT_MAX)
		want = STUDY_WANT_MAX;
	count = want ? ops->pick(study, key, want, names) : 0;
	for (uint32_t i = 0; i < count; i++)
		names[i] = study->names[names[i]];
	return count;
}

uint32_t study_table_words(const struct study_ops *ops, uint32_t count)
{
	struct study_settings settings;
	struct study_source source = {.settings = &settings, .count = count};
	uint64_t words;

	if (count > UINT32_MAX / 2 / BUCKET_ROWS)
		return UINT32_MAX; /* too large for a block, as the caller finds */
	settings = bucket_settings(count);
	words = study_words(ops, &source);
	return words > UINT32_MAX ? UINT32_MAX : (uint32_t)words;
}

/* A node of a bucket is known by its id. */
static uint64_t hash_id(int32_t id)
{
	return hash_finish(0x9e3779b97f4a7c15u * ((uint64_t)(uint32_t)id + 1));
}

strew_status study_prepare(const struct study_ops *ops,
			   const struct select_source *source, uint32_t *table,
			   const strew_allocator *allocator, strew_error *error)
{
	struct study_settings settings = bucket_settings(source->count);
	struct study_source nodes = {
		.settings = &settings,
		.count = source->count,
		.weights = source->weights,
	};
	uint64_t *hashes = base_alloc(allocator, source->count, sizeof(*hashes));
	strew_status status;

	if (hashes == NULL)
		return base_error_nomem(error);
	for (uint32_t i = 0; i < source->count; i++)
		hashes[i] = hash_id(source->ids[i]);
	nodes.hashes = hashes;
	status = study_make(ops, &nodes, table, allocator, error);
	base_free(allocator, hashes, source->count * sizeof(*hashes));
	return status;
}

/* Inputs of different buckets have nothing to do with each other, nor have rounds: once
 * STUDY_WANT_MAX nodes have been asked for, the next ones are those of another key. */
static uint64_t bucket_key(const struct flat_bucket *bucket, uint32_t x, uint32_t round)
{
	uint64_t key = (uint64_t)(uint32_t)bucket->id << 32 | x;

	return hash_finish(key ^ hash_finish(round));
}

/* The nodes for an input up to the attempt's, which is the last. */
static uint32_t pick_for(const struct flat_bucket *bucket, const struct select_in *in,
			 uint32_t *nodes)
{
	struct study_settings settings = bucket_settings(bucket->count);
	struct study study = study_read(flat_table(bucket), &settings);
	uint32_t cycle = study.count < STUDY_WANT_MAX ? study.count : STUDY_WANT_MAX;

	if (cycle == 0)
		return 0;
	return study_pick(select_at(bucket->selector)->study, &study,
			  bucket_key(bucket, in->x, in->r / cycle), in->r % cycle + 1,
			  nodes);
}

uint32_t study_choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	uint32_t nodes[STUDY_WANT_MAX];
	uint32_t count = pick_for(bucket, in, nodes);

	return count ? nodes[count - 1] : 0;
}

uint32_t study_explain(const struct flat_bucket *bucket, const struct select_in *in,
		       struct select_candidate *candidates)
{
	uint32_t nodes[STUDY_WANT_MAX];
	uint32_t count = pick_for(bucket, in, nodes);

	/* As study_choose() has it. */
	if (count == 0)
		nodes[count++] = 0;
	for (uint32_t i = 0; i < count; i++) {
		candidates[i] = (struct select_candidate){
			.item = nodes[i],
			.id = flat_ids(bucket)[nodes[i]],
			.weight = flat_weights(bucket)[nodes[i]],
		};
	}
	return count;
}
