/* SPDX-License-Identifier: MIT */
#include "rule_block_priv.h"

int rule_needs_cover(const struct rule_needs *needs, const struct rule_needs *others)
{
	return others->want <= needs->want && others->msr_steps <= needs->msr_steps;
}

void rule_needs_add(struct rule_needs *needs, const struct rule_needs *others)
{
	if (needs->want < others->want)
		needs->want = others->want;
	if (needs->msr_steps < others->msr_steps)
		needs->msr_steps = others->msr_steps;
}

static int32_t *make_refs(struct base_arena *arena, uint32_t count)
{
	return base_arena_alloc(arena, count, sizeof(int32_t));
}

static bool make_level(struct base_arena *arena, struct rule_level *level, uint32_t want)
{
	level->taken = make_refs(arena, want);
	level->undo = base_arena_alloc(arena, want, sizeof(*level->undo));
	return level->taken && level->undo;
}

static bool fill(struct rule_scratch *scratch)
{
	const struct rule_needs *needs = &scratch->needs;
	struct base_arena *arena = &scratch->arena;

	scratch->work = make_refs(arena, needs->want);
	scratch->chosen = make_refs(arena, needs->want);
	scratch->leaves = make_refs(arena, needs->want);
	scratch->block = base_arena_alloc(arena, 1, sizeof(*scratch->block));
	scratch->levels =
		base_arena_alloc(arena, needs->msr_steps, sizeof(*scratch->levels));
	if (!scratch->block || !scratch->work || !scratch->chosen || !scratch->leaves ||
	    !scratch->levels)
		return false;
	for (uint32_t i = 0; i < needs->msr_steps; i++) {
		if (!make_level(arena, &scratch->levels[i], needs->want))
			return false;
	}
	return true;
}

struct rule_scratch *rule_scratch_new(const struct rule_needs *needs,
				      const strew_allocator *allocator)
{
	struct rule_scratch *scratch;
	struct base_arena arena;

	base_arena_init(&arena, allocator);
	scratch = base_arena_alloc(&arena, 1, sizeof(*scratch));
	if (scratch == NULL) {
		base_arena_free(&arena);
		return NULL;
	}
	scratch->arena = arena;
	scratch->needs = *needs;
	if (fill(scratch))
		return scratch;
	rule_scratch_free(scratch);
	return NULL;
}

void rule_scratch_free(struct rule_scratch *scratch)
{
	struct base_arena arena;

	if (scratch == NULL)
		return;
	/* The scratch itself lies in its arena. */
	arena = scratch->arena;
	base_arena_free(&arena);
}

int rule_scratch_fits(const struct rule_scratch *scratch, const struct rule_needs *needs)
{
	return rule_needs_cover(&scratch->needs, needs);
}
