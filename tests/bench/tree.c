/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define WORKING_SIZE_AT 48 /* in the reference's map */
#define ITEMS_MAX       1000

const struct tree_kind tree_kinds[] = {
	{"a", {1, 10, 12}, TREE_EQUAL, "straw2", false, false},
	{"b", {10, 20, 24}, TREE_EQUAL, "straw2", false, true},
	{"c", {1000, 20}, TREE_EQUAL, "straw2", false, false},
	{"d", {10, 20, 25, 20}, TREE_EQUAL, "straw2", false, false},
	{"e1", {10, 20, 24}, TREE_BY_HOST, "straw2", false, false},
	{"e2", {10, 20, 24}, TREE_MIXED, "straw2", false, true},
	{"e4", {10, 20, 24}, TREE_ZEROS, "straw2", false, false},
	{"out", {10, 20, 24}, TREE_OUT, "straw2", false, false},
	{"tiny", {7, 3, 2}, TREE_EQUAL, "straw2", false, false},
	{"old", {10, 20, 24}, TREE_EQUAL, "straw2", true, false},
	{"straw", {10, 20, 24}, TREE_EQUAL, "straw", false, false},
	{"list", {10, 20, 24}, TREE_EQUAL, "list", false, false},
	{"tree", {10, 20, 24}, TREE_EQUAL, "tree", false, false},
	{"unif", {10, 20, 24}, TREE_EQUAL, "uniform", false, false},
};
const size_t tree_kind_count = sizeof(tree_kinds) / sizeof(tree_kinds[0]);

/** A tree being made on both sides. */
struct making {
	struct tree *tree;
	const struct tree_kind *kind;
	strew_builder *builder;
	int levels;
	int made[TREE_LEVELS_MAX];  /* buckets of each level, from the root down */
	int first[TREE_LEVELS_MAX]; /* the id of a level's first, from 1 */
	int devices;
};

static void need(bool fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "can't make %s\n", what);
	exit(EXIT_FAILURE);
}

static uint64_t noise(uint64_t of)
{
	return support_random(&of);
}

static uint32_t weight_of(const struct making *making, int device)
{
	int host = device / making->kind->fans[making->levels - 1];

	switch (making->kind->weights) {
	case TREE_BY_HOST:
		return 0x4000u + 0x1000u * (uint32_t)(noise((uint64_t)host) % 13);
	case TREE_MIXED:
		return 0x4000u + (uint32_t)(noise((uint64_t)device) % 0xc000);
	case TREE_ZEROS:
		return noise((uint64_t)device) % 50 ? 0x8000u : 0;
	default:
		return 0x8000;
	}
}

/** Where ids are in no order, neighbours change places. */
static int device_id(const struct making *making, int device)
{
	bool shuffled = making->kind->weights == TREE_MIXED && making->devices % 2 == 0;

	return shuffled && noise((uint64_t)device / 2) % 2 ? device ^ 1 : device;
}

static int alg_number(const char *alg)
{
	static const char *const names[] = {"",     "uniform", "list",
					    "tree", "straw",   "straw2"};
	int number = 1;

	while (strcmp(names[number], alg) != 0)
		number++;
	return number;
}

static uint32_t add_item(const struct making *making, int level, int number, int slot,
			 int *items, int *weights)
{
	int below = number * making->kind->fans[level] + slot;
	int leaf = level + 1 == making->levels;
	uint32_t weight = 0;
	int span = 1;

	for (int i = level + 1; i < making->levels; i++)
		span *= making->kind->fans[i];
	for (int i = 0; i < span; i++)
		weight += weight_of(making, below * span + i);
	items[slot] = leaf ? device_id(making, below) : -making->first[level + 1] - below;
	weights[slot] = (int)weight;
	return weight;
}

static void add_bucket(struct making *making, int level, int number)
{
	static const char *const names[] = {"root", "datacenter", "rack", "host"};
	const struct peer *peer = making->tree->peer;
	int count = making->kind->fans[level], type = making->levels - level, id = 0;
	int items[ITEMS_MAX], weights[ITEMS_MAX];
	int own = -making->first[level] - number;
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	char name[32];
	void *made;

	snprintf(name, sizeof(name), "%s%d", names[level], number);
	desc.id = own;
	desc.name = name;
	desc.type = type;
	desc.alg = making->kind->alg;
	desc.straw_calc_version = 1;
	strew_builder_add_bucket(making->builder, &desc);
	for (int i = 0; i < count; i++) {
		add_item(making, level, number, i, items, weights);
		strew_builder_add_item(making->builder, own, items[i],
				       (uint32_t)weights[i], 0);
	}
	made = peer->make_bucket(making->tree->map, alg_number(desc.alg), 0, type, count,
				 items, weights);
	need(made && peer->add_bucket(making->tree->map, own, made, &id) == 0 &&
		     id == own,
	     "a bucket of the reference");
}

static void add_devices(struct making *making)
{
	struct tree *tree = making->tree;

	tree->devices = making->devices;
	tree->reweights = calloc((size_t)tree->devices, sizeof(*tree->reweights));
	need(tree->reweights != NULL, "reweights");
	for (int i = 0; i < making->devices; i++) {
		uint32_t reweight = STREW_WEIGHT_ONE;
		uint64_t any = noise((uint64_t)i);

		if (making->kind->weights == TREE_OUT && any % 10 == 0)
			reweight = 0;
		else if (making->kind->weights == TREE_OUT && any % 3 == 0)
			reweight = 0xc000;
		tree->reweights[i] = reweight;
		strew_builder_add_device(making->builder, i, NULL, NULL);
		strew_builder_set_reweight(making->builder, i, reweight);
	}
}

static void set_tunables(struct making *making)
{
	unsigned char *map = making->tree->map;
	uint32_t words[] = {2, 5, 19, 0};

	strew_builder_set_tunable(making->builder, "straw_calc_version", 1);
	map[56] = 1;
	if (!making->kind->legacy)
		return;
	memcpy(map + 28, words, sizeof(words));
	map[44] = 0;
	map[45] = 0;
	strew_builder_set_tunable(making->builder, "choose_local_tries", 2);
	strew_builder_set_tunable(making->builder, "choose_local_fallback_tries", 5);
	strew_builder_set_tunable(making->builder, "choose_total_tries", 19);
	strew_builder_set_tunable(making->builder, "chooseleaf_descend_once", 0);
	strew_builder_set_tunable(making->builder, "chooseleaf_vary_r", 0);
	strew_builder_set_tunable(making->builder, "chooseleaf_stable", 0);
}

struct step {
	strew_op op;
	int arg1;
	int arg2;
};

static void add_rule(struct making *making, const char *name, int want,
		     const struct step *steps, int count)
{
	struct tree *tree = making->tree;
	int32_t id = (int32_t)tree->rule_count;
	void *made = tree->peer->make_rule(count, id, want > 3 ? 3 : 1, 1, 20);

	need(made != NULL, "a rule of the reference");
	strew_builder_add_rule(making->builder, id, name,
			       want > 3 ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED);
	for (int i = 0; i < count; i++) {
		const struct step *step = &steps[i];

		tree->peer->rule_set_step(made, i, (int)step->op, step->arg1, step->arg2);
		if (step->op == STREW_OP_TAKE)
			strew_builder_add_take(making->builder, step->arg1);
		else if (step->op == STREW_OP_CHOOSELEAF_FIRSTN ||
			 step->op == STREW_OP_CHOOSELEAF_INDEP)
			strew_builder_add_choose(making->builder, step->op, step->arg1,
						 step->arg2, NULL);
		else
			strew_builder_add_step(making->builder, step->op, step->arg1);
	}
	need(tree->peer->add_rule(tree->map, made, id) == id, "a rule's id");
	tree->rules[tree->rule_count++] = (struct tree_rule){name, id, want};
}

static void add_rules(struct making *making)
{
	struct step steps[] = {{STREW_OP_TAKE, -1, 0},
			       {STREW_OP_CHOOSELEAF_FIRSTN, 0, 1},
			       {STREW_OP_EMIT, 0, 0}};
	struct step indep[] = {{STREW_OP_SET_CHOOSELEAF_TRIES, 5, 0},
			       {STREW_OP_SET_CHOOSE_TRIES, 100, 0},
			       {STREW_OP_TAKE, -1, 0},
			       {STREW_OP_CHOOSELEAF_INDEP, 0, 1},
			       {STREW_OP_EMIT, 0, 0}};

	add_rule(making, "firstn 3 host", 3, steps, 3);
	add_rule(making, "indep 11 host", 11, indep, 5);
	steps[1].arg2 = 2;
	if (making->kind->racks)
		add_rule(making, "firstn 3 rack", 3, steps, 3);
}

static void lay_out(struct making *making)
{
	int count = 1, next = 1;

	while (making->levels < TREE_LEVELS_MAX && making->kind->fans[making->levels]) {
		making->first[making->levels] = next;
		making->made[making->levels] = count;
		next += count;
		count *= making->kind->fans[making->levels++];
	}
	making->devices = count;
}

static void add_buckets(struct making *making)
{
	static const char *const types[] = {"device", "host", "rack", "datacenter",
					    "root"};

	for (int i = 0; i <= making->levels; i++)
		strew_builder_add_type(making->builder, i, types[i]);
	for (int level = making->levels - 1; level >= 0; level--)
		for (int i = 0; i < making->made[level]; i++)
			add_bucket(making, level, i);
}

static void finish_peer(struct tree *tree)
{
	size_t size;

	tree->peer->finalize(tree->map);
	memcpy(&size, (char *)tree->map + WORKING_SIZE_AT, sizeof(size));
	tree->workspace = calloc(1, size + 3 * sizeof(int) * (TREE_WANT_MAX + 1));
	need(tree->workspace != NULL, "the reference's workspace");
	tree->peer->init_workspace(tree->map, tree->workspace);
}

static void add_kernel(struct tree *tree, const strew_map *map, const char *kernel)
{
	struct ours *ours = &tree->ours[tree->ours_count];
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_error error = {0};

	ours->kernel = kernel;
	options.kernel = kernel;
	if (strew_placer_new(&ours->placer, map, &options, &error) != STREW_OK) {
		fprintf(stderr, "%s\n", error.text);
		return;
	}
	need(strew_scratch_new(&ours->scratch, ours->placer, NULL) == STREW_OK,
	     "a scratch");
	tree->ours_count++;
}

static void finish_ours(struct making *making, const char *kernel)
{
	strew_map *map = NULL;
	strew_error error = {0};

	if (strew_builder_build(&map, making->builder, &error) != STREW_OK) {
		fprintf(stderr, "%s\n", error.text);
		exit(EXIT_FAILURE);
	}
	strew_builder_free(making->builder);
	for (size_t i = 0; strew_kernel_name(i); i++) {
		if (kernel == NULL || strcmp(kernel, strew_kernel_name(i)) == 0)
			add_kernel(making->tree, map, strew_kernel_name(i));
	}
	strew_map_release(map);
}

void tree_make(struct tree *tree, const struct tree_kind *kind, const struct peer *peer,
	       const char *kernel)
{
	struct making making = {.tree = tree, .kind = kind};

	memset(tree, 0, sizeof(*tree));
	tree->name = kind->name;
	tree->peer = peer;
	tree->map = peer->create();
	need(strew_builder_new(&making.builder, NULL) == STREW_OK, "a builder");
	lay_out(&making);
	set_tunables(&making);
	add_devices(&making);
	add_buckets(&making);
	add_rules(&making);
	finish_peer(tree);
	finish_ours(&making, kernel);
}

void tree_free(struct tree *tree)
{
	for (size_t i = 0; i < tree->ours_count; i++) {
		strew_scratch_free(tree->ours[i].scratch);
		strew_placer_release(tree->ours[i].placer);
	}
	tree->peer->destroy(tree->map);
	free(tree->workspace);
	free(tree->reweights);
}

int tree_place_peer(const struct tree *tree, const struct tree_rule *rule, uint32_t x,
		    int32_t *out)
{
	return tree->peer->do_rule(tree->map, rule->id, (int)x, out, rule->want,
				   tree->reweights, tree->devices, tree->workspace, NULL);
}
