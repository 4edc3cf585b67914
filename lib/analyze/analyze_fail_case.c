/* SPDX-License-Identifier: MIT */
/* One case: what fails is marked, the units that have to do with it are placed again, and
 * what changed is counted. */
#include "analyze_fail_priv.h"

#include <math.h>
#include <string.h>

#include "base_error.h"

static bool alloc_worker(struct fail_worker *worker)
{
	struct base_arena *arena = &worker->arena;
	size_t devices = worker->fail->map->device_count + 1;
	size_t buckets = worker->fail->map->bucket_count + 1;
	size_t units = (size_t)worker->fail->plan.units + 1;

	worker->failed = base_arena_alloc(arena, devices, sizeof(*worker->failed));
	worker->failed_list =
		base_arena_alloc(arena, devices, sizeof(*worker->failed_list));
	worker->seen = base_arena_alloc(arena, buckets, sizeof(*worker->seen));
	worker->queue = base_arena_alloc(arena, buckets, sizeof(*worker->queue));
	worker->stamps = base_arena_alloc(arena, units, sizeof(*worker->stamps));
	worker->list = base_arena_alloc(arena, units, sizeof(*worker->list));
	worker->short_list =
		base_arena_alloc(arena, FAIL_SHORT_MAX, sizeof(*worker->short_list));
	worker->words = base_arena_alloc(arena, ANALYZE_CHUNK * 2 * worker->fail->room,
					 sizeof(*worker->words));
	worker->change = base_arena_alloc(arena, devices, sizeof(*worker->change));
	worker->bytes_in = base_arena_alloc(arena, devices, sizeof(*worker->bytes_in));
	worker->shards_in = base_arena_alloc(arena, devices, sizeof(*worker->shards_in));
	worker->is_changed =
		base_arena_alloc(arena, devices, sizeof(*worker->is_changed));
	worker->changed = base_arena_alloc(arena, devices, sizeof(*worker->changed));
	worker->device_fits =
		base_arena_alloc(arena, devices, sizeof(*worker->device_fits));
	worker->bucket_fits =
		base_arena_alloc(arena, buckets, sizeof(*worker->bucket_fits));
	worker->below = base_arena_alloc(arena, buckets, sizeof(*worker->below));
	return worker->failed && worker->failed_list && worker->seen && worker->queue &&
	       worker->stamps && worker->list && worker->short_list && worker->words &&
	       worker->change && worker->bytes_in && worker->shards_in &&
	       worker->is_changed && worker->changed && worker->device_fits &&
	       worker->bucket_fits && worker->below;
}

strew_status analyze_fail_open_worker(struct fail_worker *worker, struct fail *fail)
{
	strew_status status;

	memset(worker, 0, sizeof(*worker));
	worker->fail = fail;
	base_arena_init(&worker->arena, fail->allocator);
	status = place_private(&worker->placer, fail->placer, fail->allocator,
			       fail->error);
	if (status == STREW_OK)
		status = strew_scratch_new(&worker->scratch, worker->placer, fail->error);
	if (status == STREW_OK && !alloc_worker(worker))
		status = base_error_nomem(fail->error);
	return status;
}

void analyze_fail_close_worker(struct fail_worker *worker)
{
	if (worker->fail == NULL)
		return;
	strew_scratch_free(worker->scratch);
	strew_placer_release(worker->placer);
	base_arena_free(&worker->arena);
}

static void fail_device(struct fail_worker *worker, uint32_t device)
{
	if (worker->failed[device])
		return;
	worker->failed[device] = true;
	worker->failed_list[worker->failed_count++] = device;
	place_set_failed(worker->placer, device, true);
}

static void reach_bucket(struct fail_worker *worker, uint32_t bucket, size_t *end)
{
	if (worker->seen[bucket])
		return;
	worker->seen[bucket] = true;
	worker->queue[(*end)++] = bucket;
}

/* All devices below the case's items. */
static void fail_items(struct fail_worker *worker)
{
	const struct fail *fail = worker->fail;
	const int32_t *items = fail->items + worker->now->first;
	size_t end = 0;

	for (size_t i = 0; i < worker->now->items; i++) {
		if (items[i] >= 0)
			fail_device(worker,
				    (uint32_t)map_device_index(fail->map, items[i]));
		else
			reach_bucket(worker,
				     (uint32_t)map_bucket_index(fail->map, items[i]),
				     &end);
	}
	for (size_t next = 0; next < end; next++) {
		const size_t *first = fail->tree.first + worker->queue[next];

		for (size_t at = first[0]; at < first[1]; at++) {
			int32_t item = fail->tree.items[at];

			if (item >= 0)
				fail_device(worker, (uint32_t)item);
			else
				reach_bucket(worker, (uint32_t)(-1 - item), &end);
		}
	}
	for (size_t i = 0; i < end; i++)
		worker->seen[worker->queue[i]] = false;
}

static void list_units(struct fail_worker *worker)
{
	const struct fail *fail = worker->fail;

	worker->listed = 0;
	worker->stamp++;
	for (size_t i = 0; i < worker->failed_count; i++) {
		const size_t *first = fail->first + worker->failed_list[i];

		for (size_t at = first[0]; at < first[1]; at++) {
			uint32_t unit = fail->units[at];

			if (worker->stamps[unit] == worker->stamp)
				continue;
			worker->stamps[unit] = worker->stamp;
			worker->list[worker->listed++] = unit;
		}
	}
}

/* A unit before and after: indexes of devices, -1 for holes. */
struct move {
	const struct fail_group *group;
	uint64_t unit;
	const int32_t *before;
	int32_t after[STREW_WANT_MAX];
	int count, placed, lost; /* before; after; of those before */
	double bytes;            /* of a shard; below 0: not known */
};

static bool holds(const int32_t *set, size_t room, int32_t device)
{
	for (size_t i = 0; i < room; i++) {
		if (set[i] == device)
			return true;
	}
	return false;
}

static void note_device(struct fail_worker *worker, int32_t device, double load)
{
	if (!worker->is_changed[device]) {
		worker->is_changed[device] = true;
		worker->changed[worker->changed_count++] = (uint32_t)device;
	}
	worker->change[device] += load;
}

static void gain(struct fail_worker *worker, const struct move *move, int32_t device)
{
	double bytes = move->bytes > 0 ? move->bytes : 0;

	note_device(worker, device, analyze_fail_shard_load(worker->fail, move->bytes));
	worker->shards_in[device]++;
	worker->bytes_in[device] += bytes;
	worker->now->moved_shards++;
	worker->now->moved_bytes += bytes;
}

static void count_moves(struct fail_worker *worker, const struct move *move)
{
	size_t room = worker->fail->room;

	for (size_t i = 0; i < room; i++) {
		int32_t from = move->before[i], to = move->after[i];
		bool stays = move->group->by_position ? from == to
						      : holds(move->after, room, from);
		bool was = move->group->by_position ? from == to
						    : holds(move->before, room, to);

		if (to >= 0 && !was)
			gain(worker, move, to);
		if (from >= 0 && !stays && !worker->failed[from])
			note_device(worker, from,
				    -analyze_fail_shard_load(worker->fail, move->bytes));
	}
}

static void hurt(struct fail_worker *worker, uint64_t unit, uint8_t how)
{
	atomic_fetch_or_explicit(&worker->fail->hurt[unit], how, memory_order_relaxed);
}

/* Of a unit that lost shards: what is left. */
static void count_left(struct fail_worker *worker, const struct move *move)
{
	struct fail_case *now = worker->now;
	const struct fail_group *group = move->group;
	int left = move->count - move->lost;

	now->degraded++;
	now->shards_lost += (uint64_t)move->lost;
	now->lost_unknown |= group->needed == 0;
	now->below_unknown |= group->min_size == 0;
	if (now->least_left < 0 || left < now->least_left)
		now->least_left = left;
	if (left < group->min_size) {
		now->below_min_size++;
		hurt(worker, move->unit, FAIL_HURT_BELOW);
	}
	if (left < group->needed) {
		now->lost++;
		hurt(worker, move->unit, FAIL_HURT_LOST);
	}
}

static void note_short(struct fail_worker *worker, const struct move *move, int raw)
{
	worker->now->unhealable++;
	if (raw >= move->count) {
		worker->now->reason.cause = FAIL_DOWN;
		worker->now->reason.group =
			(uint32_t)(move->group - worker->fail->groups);
	} else if (worker->short_count < FAIL_SHORT_MAX) {
		worker->short_list[worker->short_count++] = move->unit;
	}
}

static void fill_move(struct move *move, const struct fail_worker *worker, uint64_t unit,
		      const strew_set *up)
{
	const struct fail *fail = worker->fail;
	const struct analyze_group *group = analyze_find_group(&fail->plan, unit);

	move->group = &fail->groups[group - fail->plan.groups];
	move->unit = unit;
	move->before = fail->sets + unit * fail->room;
	move->bytes = analyze_shard_amount(&fail->plan, group, unit).bytes;
	move->count = move->lost = move->placed = 0;
	for (size_t i = 0; i < fail->room; i++) {
		int32_t id = i < (size_t)up->count ? up->devices[i] : STREW_NONE;

		move->after[i] =
			id == STREW_NONE ? -1 : (int32_t)map_device_index(fail->map, id);
		move->placed += move->after[i] >= 0;
		if (move->before[i] < 0)
			continue;
		move->count++;
		move->lost += worker->failed[move->before[i]];
	}
}

static void count_unit(struct fail_worker *worker, uint64_t unit,
		       const strew_stages *stages)
{
	struct move move;

	fill_move(&move, worker, unit, &stages->up);
	if (move.lost > 0)
		count_left(worker, &move);
	/* Where too little is left nothing can be copied from. */
	if (move.lost > 0 && move.count - move.lost < move.group->needed)
		return;
	count_moves(worker, &move);
	if (move.lost > 0 && move.placed < move.count)
		note_short(worker, &move, analyze_count_devices(&stages->raw));
}

static void place_chunk(struct fail_worker *worker, const uint64_t *list, size_t count)
{
	const struct fail *fail = worker->fail;
	struct analyze_units units = {.plan = &fail->plan,
				      .placer = worker->placer,
				      .rule = fail->plan.inputs.rule,
				      .want = fail->plan.inputs.want,
				      .list = list,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];

	for (size_t i = 0; i < count; i++) {
		stages[i].up.devices = worker->words + i * 2 * fail->room;
		stages[i].up.room = (int)fail->room;
		stages[i].raw.devices = stages[i].up.devices + fail->room;
		stages[i].raw.room = (int)fail->room;
	}
	analyze_place_units(stages, pgs, &units, worker->scratch);
	for (size_t i = 0; i < count; i++)
		count_unit(worker, list[i], &stages[i]);
}

static void offer_fullest(struct fail_worker *worker, int32_t device)
{
	const struct fail_device *found = &worker->fail->devices[device];
	struct fail_case *now = worker->now;
	double use = (found->load + worker->change[device]) / found->size;

	if (!(found->size > 0) || worker->failed[device])
		return;
	if (now->fullest >= 0 && (use < now->fullest_use ||
				  (use == now->fullest_use && device > now->fullest)))
		return;
	now->fullest = device;
	now->fullest_use = use;
}

/* Of the devices that don't change only the first in order can be it. */
static void find_fullest(struct fail_worker *worker)
{
	const struct fail *fail = worker->fail;

	for (size_t i = 0; i < fail->by_use_count; i++) {
		int32_t device = fail->by_use[i];

		if (worker->failed[device] || worker->is_changed[device])
			continue;
		offer_fullest(worker, device);
		break;
	}
	for (size_t i = 0; i < worker->changed_count; i++)
		offer_fullest(worker, (int32_t)worker->changed[i]);
}

bool analyze_fail_run_case(struct fail_worker *worker, size_t index,
			   const atomic_bool *canceled)
{
	struct fail_case *now = &worker->fail->cases[index];
	size_t count;

	worker->now = now;
	*now = (struct fail_case){.first = now->first,
				  .items = now->items,
				  .least_left = -1,
				  .fullest = -1,
				  .fullest_use = NAN};
	fail_items(worker);
	now->devices = worker->failed_count;
	list_units(worker);
	for (size_t done = 0; done < worker->listed; done += count) {
		if (atomic_load(canceled))
			return false;
		count = worker->listed - done;
		if (count > ANALYZE_CHUNK)
			count = ANALYZE_CHUNK;
		place_chunk(worker, worker->list + done, count);
	}
	find_fullest(worker);
	if (worker->short_count > 0)
		analyze_fail_explain(worker);
	return true;
}

void analyze_fail_end_case(struct fail_worker *worker)
{
	for (size_t i = 0; i < worker->failed_count; i++) {
		worker->failed[worker->failed_list[i]] = false;
		place_set_failed(worker->placer, worker->failed_list[i], false);
	}
	for (size_t i = 0; i < worker->changed_count; i++) {
		uint32_t device = worker->changed[i];

		worker->is_changed[device] = false;
		worker->change[device] = 0;
		worker->bytes_in[device] = 0;
		worker->shards_in[device] = 0;
	}
	worker->failed_count = 0;
	worker->changed_count = 0;
	worker->short_count = 0;
}
