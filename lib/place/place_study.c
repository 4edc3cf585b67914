/* SPDX-License-Identifier: MIT */
/* Selectors without a map: strew/study.h. */
#include <strew/builder.h>
#include <strew/study.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "compile.h"
#include "hash.h"
#include "study.h"

#define NODES_MAX  (UINT32_MAX / 8)
#define LABELS_MAX 4096
#define ROWS_MAX   (1u << 24)
#define ROWS_USUAL 65536
#define BRANCH_MAX (1u << 16)
#define JOIN_MAX   16
/** Tries for a replica of one of Ceph's selectors, as many as its tunables have. */
#define TRIES 50

struct strew_study {
	struct base_arena arena;
	const strew_allocator *allocator;
	const struct select_ops *ops;
	struct study_settings settings;
	char label_join[JOIN_MAX];
	uint32_t count;
	strew_study_node *nodes;
	uint32_t *order; /* of nodes, by name */
	uint32_t *words; /* a study selector's */
	uint64_t word_count;
	struct study study;
	int32_t *ids; /* one of Ceph's: its bucket is the block's first */
	int32_t next_id;
	struct flat *flat;
	bool any_weight;
};

static const struct study_ops no_scheme;

static strew_study_options complete_options(const strew_study_options *given)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;

	if (given)
		memcpy(&options, given,
		       given->size < sizeof(options) ? given->size : sizeof(options));
	if (options.label_join == NULL)
		options.label_join = "";
	return options;
}

static strew_status check_ranges(const strew_study_options *options, strew_error *error)
{
	if (options->labels < 1 || options->labels > LABELS_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a node has 1 to %d labels; not %u", LABELS_MAX,
				      (unsigned)options->labels);
	if (options->rows > ROWS_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a table has 1 to %u rows; not %u", ROWS_MAX,
				      (unsigned)options->rows);
	if (options->branch < 2 || options->branch > BRANCH_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a group has 2 to %u members; not %u", BRANCH_MAX,
				      (unsigned)options->branch);
	if (strlen(options->label_join) >= JOIN_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "what joins name and label has at most %d bytes",
				      JOIN_MAX - 1);
	return STREW_OK;
}

static strew_status take_options(strew_study *study, const strew_study_options *options,
				 strew_error *error)
{
	const struct study_ops *scheme;
	const struct hash_named *hash;
	const char *name = options->hash;

	if (options->scheme == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "no scheme is told");
	study->ops = select_find(options->scheme);
	if (study->ops == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "no scheme is named %.64s",
				      options->scheme);
	scheme = study->ops->study ? study->ops->study : &no_scheme;
	if (name == NULL)
		name = scheme->hash ? scheme->hash : "fnv1a";
	hash = hash_named_find(name);
	if (hash == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "no hash is named %.64s",
				      name);
	memcpy(study->label_join, options->label_join, strlen(options->label_join) + 1);
	study->study.settings = &study->settings;
	study->settings = (struct study_settings){
		.hash = hash->hash,
		.label_join = study->label_join,
		.first_label = options->first_label,
		.labels = options->labels,
		.rows = options->rows  ? options->rows
			: scheme->rows ? scheme->rows
				       : ROWS_USUAL,
		.branch = options->branch,
		.raw = options->raw < 0 ? scheme->raw : options->raw > 0,
	};
	return STREW_OK;
}

static strew_study *create(const strew_allocator *given)
{
	const strew_allocator *allocator = base_allocator_or_heap(given);
	strew_study *study = base_calloc(allocator, 1, sizeof(*study));

	if (study == NULL)
		return NULL;
	study->allocator = allocator;
	base_arena_init(&study->arena, allocator);
	return study;
}

void strew_study_free(strew_study *study)
{
	if (study == NULL)
		return;
	compile_free(study->flat, study->allocator);
	if (study->words)
		base_free(study->allocator, study->words,
			  (size_t)study->word_count * sizeof(*study->words));
	base_arena_free(&study->arena);
	base_free(study->allocator, study, sizeof(*study));
}

struct named {
	const char *name;
	uint32_t node;
};

static int compare_named(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name,
		      ((const struct named *)right)->name);
}

static strew_status sort_nodes(strew_study *study, strew_error *error)
{
	struct named *list = base_alloc(study->allocator, study->count, sizeof(*list));
	strew_status status = STREW_OK;

	if (list == NULL && study->count)
		return base_error_nomem(error);
	for (uint32_t i = 0; i < study->count; i++)
		list[i] = (struct named){study->nodes[i].name, i};
	if (study->count)
		qsort(list, study->count, sizeof(*list), compare_named);
	for (uint32_t i = 0; i < study->count; i++) {
		study->order[i] = list[i].node;
		if (i && strcmp(list[i].name, list[i - 1].name) == 0)
			status =
				base_error_set(error, STREW_EINVAL,
					       "two nodes are named %.96s", list[i].name);
	}
	base_free(study->allocator, list, study->count * sizeof(*list));
	return status;
}

static size_t most_nodes(const struct select_ops *ops)
{
	return ops->max_items ? ops->max_items : NODES_MAX;
}

static strew_status take_nodes(strew_study *study, const strew_study_node *nodes,
			       size_t count, strew_error *error)
{
	if (count > most_nodes(study->ops))
		return base_error_set(error, STREW_EMAP, "%s takes at most %zu nodes",
				      study->ops->name, most_nodes(study->ops));
	study->count = (uint32_t)count;
	study->nodes = base_arena_copy(&study->arena, nodes, count, sizeof(*nodes));
	study->order = base_arena_alloc(&study->arena, count, sizeof(*study->order));
	study->ids = base_arena_alloc(&study->arena, count, sizeof(*study->ids));
	if (study->nodes == NULL || study->order == NULL || study->ids == NULL)
		return base_error_nomem(error);
	for (size_t i = 0; i < count; i++) {
		study->nodes[i].name = base_arena_strdup(&study->arena, nodes[i].name);
		if (study->nodes[i].name == NULL)
			return base_error_nomem(error);
		study->any_weight |= nodes[i].weight > 0;
	}
	return sort_nodes(study, error);
}

/* The node of a name, or STUDY_GONE. */
static uint32_t find_node(const strew_study *study, const char *name)
{
	uint32_t low = 0, high = study->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(study->nodes[study->order[middle]].name, name);

		if (order == 0)
			return study->order[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return STUDY_GONE;
}

/* Those that were there keep theirs; new ones get ids that nobody had. */
static void give_ids(strew_study *study, const strew_study *old)
{
	study->next_id = old ? old->next_id : 0;
	for (uint32_t i = 0; i < study->count; i++) {
		uint32_t was = old ? find_node(old, study->nodes[i].name) : STUDY_GONE;

		study->ids[i] = was == STUDY_GONE ? study->next_id++ : old->ids[was];
	}
}

/* A map of one bucket: the least that can be compiled. */
static strew_status make_map(strew_map **out, const strew_study *study,
			     strew_error *error)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_builder *builder = NULL;
	strew_status status;
	int32_t bucket;

	*out = NULL;
	status = strew_builder_new(&builder, study->allocator);
	if (status != STREW_OK)
		return base_error_nomem(error);
	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "root");
	for (uint32_t i = 0; i < study->count; i++)
		strew_builder_add_device(builder, study->ids[i], NULL, NULL);
	desc.name = "all";
	desc.type_name = "root";
	desc.alg = study->ops->name;
	bucket = strew_builder_add_bucket(builder, &desc);
	for (uint32_t i = 0; i < study->count; i++)
		strew_builder_add_item(builder, bucket, study->ids[i],
				       study->nodes[i].weight, 0);
	status = strew_builder_build(out, builder, error);
	strew_builder_free(builder);
	return status;
}

static strew_status compile_nodes(strew_study *study, strew_error *error)
{
	strew_map *map = NULL;
	strew_status status = make_map(&map, study, error);

	if (status == STREW_OK)
		status = compile_map(&study->flat, map, study->allocator, error);
	strew_map_release(map);
	return status;
}

/* For each node with weight of the old study, its place among those of the new. */
static strew_status find_heirs(uint32_t **out, const strew_study *study,
			       const strew_study *old, strew_error *error)
{
	uint32_t *heirs, *place, live = 0;

	heirs = base_alloc(study->allocator, (size_t)old->count + study->count,
			   sizeof(*heirs));
	*out = heirs;
	if (heirs == NULL)
		return base_error_nomem(error);
	place = heirs + old->count;
	for (uint32_t i = 0; i < study->count; i++)
		place[i] = study->nodes[i].weight ? live++ : STUDY_GONE;
	for (uint32_t i = 0; i < old->study.count; i++) {
		const char *name = old->nodes[old->study.names[i]].name;
		uint32_t node = find_node(study, name);

		heirs[i] = node == STUDY_GONE ? STUDY_GONE : place[node];
	}
	return STREW_OK;
}

/* What the scheme's table is made from. */
struct source_arrays {
	uint64_t *hashes;
	uint32_t *weights;
	const char **texts;
	uint32_t *heirs;
};

static strew_status make_arrays(struct source_arrays *arrays, const strew_study *study,
				const strew_study *old, struct base_arena *arena,
				strew_error *error)
{
	arrays->hashes = base_arena_alloc(arena, study->count, sizeof(*arrays->hashes));
	arrays->weights = base_arena_alloc(arena, study->count, sizeof(*arrays->weights));
	arrays->texts = base_arena_alloc(arena, study->count, sizeof(*arrays->texts));
	if (!arrays->hashes || !arrays->weights || !arrays->texts)
		return base_error_nomem(error);
	for (uint32_t i = 0; i < study->count; i++) {
		const strew_study_node *node = &study->nodes[i];

		arrays->hashes[i] = study->settings.hash(node->name, strlen(node->name));
		arrays->weights[i] = node->weight;
		arrays->texts[i] = node->name;
	}
	return old && old->study.count ? find_heirs(&arrays->heirs, study, old, error)
				       : STREW_OK;
}

static strew_status fill_words(strew_study *study, const struct study_source *source,
			       strew_error *error)
{
	uint64_t words = study_words(study->ops->study, source);

	if (words > UINT32_MAX / sizeof(uint32_t))
		return base_error_set(error, STREW_ERANGE,
				      "the table of %s would take more than 4 GiB",
				      study->ops->name);
	study->word_count = words;
	study->words = base_calloc(study->allocator, (size_t)words, sizeof(uint32_t));
	if (study->words == NULL)
		return base_error_nomem(error);
	return study_make(study->ops->study, source, study->words, study->allocator,
			  error);
}

static strew_status make_table(strew_study *study, const strew_study *old,
			       strew_error *error)
{
	struct source_arrays arrays = {NULL, NULL, NULL, NULL};
	struct base_arena arena;
	strew_status status;

	base_arena_init(&arena, study->allocator);
	status = make_arrays(&arrays, study, old, &arena, error);
	if (status == STREW_OK) {
		struct study_source source = {
			.settings = &study->settings,
			.count = study->count,
			.hashes = arrays.hashes,
			.weights = arrays.weights,
			.texts = arrays.texts,
			.old = old && old->study.count ? &old->study : NULL,
			.heirs = arrays.heirs,
		};

		status = fill_words(study, &source, error);
	}
	if (arrays.heirs)
		base_free(study->allocator, arrays.heirs,
			  ((size_t)old->count + study->count) * sizeof(uint32_t));
	base_arena_free(&arena);
	if (status == STREW_OK)
		study->study = study_read(study->words, &study->settings);
	return status;
}

/* The study is the caller's to free when this fails. */
static strew_status place_nodes(strew_study *study, const strew_study *old,
				const strew_study_node *nodes, size_t count,
				strew_error *error)
{
	strew_status status = take_nodes(study, nodes, count, error);

	if (status != STREW_OK)
		return status;
	give_ids(study, old);
	return study->ops->study ? make_table(study, old, error)
				 : compile_nodes(study, error);
}

static strew_status finish(strew_study **out, strew_study *study, strew_status status)
{
	if (status != STREW_OK) {
		strew_study_free(study);
		return status;
	}
	*out = study;
	return STREW_OK;
}

strew_status strew_study_new(strew_study **out, const strew_study_options *options,
			     const strew_study_node *nodes, size_t count,
			     strew_error *error)
{
	strew_study_options all = complete_options(options);
	strew_study *study = create(all.allocator);
	strew_status status;

	*out = NULL;
	if (study == NULL)
		return base_error_nomem(error);
	status = check_ranges(&all, error);
	if (status == STREW_OK)
		status = take_options(study, &all, error);
	if (status == STREW_OK)
		status = place_nodes(study, NULL, nodes, count, error);
	return finish(out, study, status);
}

strew_status strew_study_change(strew_study **out, const strew_study *old,
				const strew_study_node *nodes, size_t count,
				strew_error *error)
{
	strew_study *study = create(old->allocator);

	*out = NULL;
	if (study == NULL)
		return base_error_nomem(error);
	study->ops = old->ops;
	study->settings = old->settings;
	memcpy(study->label_join, old->label_join, sizeof(study->label_join));
	study->settings.label_join = study->label_join;
	study->study.settings = &study->settings;
	return finish(out, study, place_nodes(study, old, nodes, count, error));
}

uint64_t strew_study_hash(const strew_study *study, const void *key, size_t length)
{
	return study->settings.hash(key, length);
}

/* Replica by replica, the next try where one comes to a node that has been. */
static size_t pick_flat(const strew_study *study, uint64_t hash, size_t want,
			uint32_t *out)
{
	const struct flat_bucket *bucket = flat_bucket_at(study->flat, 0);
	struct select_in in = {.x = (uint32_t)study_mix(&study->study, hash)};
	uint32_t found = 0, tries = 0;

	while (study->any_weight && found < want && tries < TRIES) {
		uint32_t node = select_choose(bucket, &in);
		bool is_new = study_is_new(node, out, found);

		in.r++;
		tries = is_new ? 0 : tries + 1;
		if (is_new)
			out[found++] = node;
	}
	return found;
}

size_t strew_study_pick_hash(const strew_study *study, uint64_t hash, size_t want,
			     uint32_t *out)
{
	if (want < 1 || want > STREW_STUDY_WANT_MAX)
		return 0;
	if (study->flat)
		return pick_flat(study, hash, want, out);
	return study_pick(study->ops->study, &study->study, hash, (uint32_t)want, out);
}

size_t strew_study_pick(const strew_study *study, const void *key, size_t length,
			size_t want, uint32_t *out)
{
	return strew_study_pick_hash(study, strew_study_hash(study, key, length), want,
				     out);
}

uint64_t strew_study_bytes(const strew_study *study)
{
	return study->flat ? study->flat->size : study->word_count * sizeof(uint32_t);
}

strew_status strew_scheme_at(size_t index, strew_scheme *scheme)
{
	const char *name = NULL;
	const struct select_ops *ops;

	for (size_t i = 0; i <= index; i++) {
		name = select_names()[i];
		if (name == NULL)
			return STREW_ENOTFOUND;
	}
	ops = select_find(name);
	*scheme = (strew_scheme){
		.name = ops->name, .summary = ops->summary, .nodes_max = most_nodes(ops)};
	scheme->flags |= ops->flags & SELECT_STUDY ? 0 : STREW_SCHEME_CEPH;
	scheme->flags |= ops->flags & SELECT_WEIGHTED ? STREW_SCHEME_WEIGHTED : 0;
	scheme->flags |= ops->flags & SELECT_WRONG ? STREW_SCHEME_WRONG : 0;
	return STREW_OK;
}

strew_status strew_study_hash_at(size_t index, strew_named_hash *hash)
{
	const struct hash_named *named = hash_named_at(index);

	if (named == NULL)
		return STREW_ENOTFOUND;
	*hash = (strew_named_hash){named->name, named->summary, named->hash};
	return STREW_OK;
}

uint64_t strew_study_mix(uint64_t hash)
{
	return hash_finish(hash);
}
