/* SPDX-License-Identifier: MIT */
/* The distinct sets of devices that units lie on. */
#include "analyze_fail_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base_error.h"
#include "hash.h"

/* An open table of sets by what is in them. */
struct table {
	uint32_t *slots; /* a set's number + 1; 0: free */
	size_t mask;
};

static uint64_t hash_set(const int32_t *devices, int count, int fatal)
{
	uint64_t hash = (uint64_t)fatal + 1;

	for (int i = 0; i < count; i++)
		hash = hash_finish(hash + (uint32_t)devices[i] + 1);
	return hash;
}

static void sort_devices(int32_t *devices, int count)
{
	for (int i = 1; i < count; i++) {
		int32_t device = devices[i];
		int at = i;

		for (; at > 0 && devices[at - 1] > device; at--)
			devices[at] = devices[at - 1];
		devices[at] = device;
	}
}

/* A unit's devices, each once, in order, and how many of them may not fail together. */
static int read_set(int32_t *devices, int *fatal, const struct fail *fail, uint64_t unit,
		    const struct fail_group *group)
{
	const int32_t *set = fail->sets + unit * fail->room;
	int count = 0, distinct = 0;

	for (size_t i = 0; i < fail->room; i++) {
		if (set[i] >= 0)
			devices[count++] = set[i];
	}
	sort_devices(devices, count);
	for (int i = 0; i < count; i++) {
		if (distinct == 0 || devices[distinct - 1] != devices[i])
			devices[distinct++] = devices[i];
	}
	*fatal = group->needed > 0 && distinct >= group->needed
			 ? distinct - group->needed + 1
			 : 0;
	return distinct;
}

static uint32_t *find_slot(const struct fail *fail, const struct table *table,
			   const int32_t *devices, int count, int fatal)
{
	const struct fail_sets *sets = &fail->distinct;
	size_t at = (size_t)hash_set(devices, count, fatal) & table->mask;

	for (; table->slots[at] > 0; at = (at + 1) & table->mask) {
		size_t set = table->slots[at] - 1;

		if (sets->counts[set] == count && sets->fatal[set] == fatal &&
		    memcmp(sets->devices + set * fail->room, devices,
			   (size_t)count * sizeof(*devices)) == 0)
			break;
	}
	return &table->slots[at];
}

static void add_set(struct fail *fail, uint32_t *slot, const int32_t *devices, int count,
		    int fatal)
{
	struct fail_sets *sets = &fail->distinct;
	size_t set = sets->count++;

	memcpy(sets->devices + set * fail->room, devices,
	       (size_t)count * sizeof(*devices));
	sets->counts[set] = (uint16_t)count;
	sets->fatal[set] = (uint16_t)fatal;
	*slot = (uint32_t)sets->count;
}

static void find_distinct(struct fail *fail, const struct table *table)
{
	int32_t devices[STREW_WANT_MAX];

	for (size_t i = 0; i < fail->plan.group_count; i++) {
		const struct analyze_group *group = &fail->plan.groups[i];

		for (uint64_t unit = group->first; unit < group->first + group->count;
		     unit++) {
			int fatal;
			int count =
				read_set(devices, &fatal, fail, unit, &fail->groups[i]);
			uint32_t *slot = find_slot(fail, table, devices, count, fatal);

			if (count > 0 && *slot == 0)
				add_set(fail, slot, devices, count, fatal);
		}
	}
}

static strew_status index_sets(struct fail *fail)
{
	struct fail_sets *sets = &fail->distinct;
	size_t devices = fail->map->device_count, total = 0;

	for (size_t i = 0; i < sets->count; i++)
		total += sets->counts[i];
	sets->first = base_calloc(fail->allocator, devices + 2, sizeof(*sets->first));
	sets->of = base_alloc(fail->allocator, total + 1, sizeof(*sets->of));
	sets->of_count = total;
	if (sets->first == NULL || sets->of == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < sets->count; i++)
		for (size_t k = 0; k < sets->counts[i]; k++)
			sets->first[sets->devices[i * fail->room + k] + 2]++;
	for (size_t i = 2; i < devices + 2; i++)
		sets->first[i] += sets->first[i - 1];
	for (size_t i = 0; i < sets->count; i++)
		for (size_t k = 0; k < sets->counts[i]; k++) {
			int32_t device = sets->devices[i * fail->room + k];

			sets->of[sets->first[device + 1]++] = (uint32_t)i;
		}
	return STREW_OK;
}

static size_t table_size(size_t units)
{
	size_t size = 16;

	while (size < 2 * units)
		size *= 2;
	return size;
}

strew_status analyze_fail_find_sets(struct fail *fail)
{
	struct fail_sets *sets = &fail->distinct;
	size_t units = (size_t)fail->plan.units, size = table_size(units);
	struct table table = {.mask = size - 1};
	strew_status status = STREW_OK;

	table.slots = base_calloc(fail->allocator, size, sizeof(*table.slots));
	sets->devices = base_alloc(fail->allocator, units * fail->room + 1,
				   sizeof(*sets->devices));
	sets->counts = base_alloc(fail->allocator, units + 1, sizeof(*sets->counts));
	sets->fatal = base_alloc(fail->allocator, units + 1, sizeof(*sets->fatal));
	if (table.slots && sets->devices && sets->counts && sets->fatal) {
		find_distinct(fail, &table);
		status = index_sets(fail);
	} else {
		status = base_error_nomem(fail->error);
	}
	base_free(fail->allocator, table.slots, size * sizeof(*table.slots));
	return status;
}

void analyze_fail_free_sets(struct fail *fail)
{
	struct fail_sets *sets = &fail->distinct;
	size_t units = (size_t)fail->plan.units;

	base_free(fail->allocator, sets->devices,
		  (units * fail->room + 1) * sizeof(*sets->devices));
	base_free(fail->allocator, sets->counts, (units + 1) * sizeof(*sets->counts));
	base_free(fail->allocator, sets->fatal, (units + 1) * sizeof(*sets->fatal));
	base_free(fail->allocator, sets->first,
		  (fail->map->device_count + 2) * sizeof(*sets->first));
	base_free(fail->allocator, sets->of, (sets->of_count + 1) * sizeof(*sets->of));
}

/* How many other devices share a set with one. */
static uint32_t count_peers(const struct fail *fail, size_t device, uint32_t *stamps)
{
	const struct fail_sets *sets = &fail->distinct;
	uint32_t stamp = (uint32_t)device + 1, count = 0;

	for (size_t at = sets->first[device]; at < sets->first[device + 1]; at++) {
		size_t set = sets->of[at];

		for (size_t k = 0; k < sets->counts[set]; k++) {
			int32_t peer = sets->devices[set * fail->room + k];

			count += stamps[peer] != stamp;
			stamps[peer] = stamp;
		}
	}
	return count > 0 ? count - 1 : 0;
}

strew_status analyze_fail_scatter(struct fail_scatter *out, const struct fail *fail)
{
	size_t devices = fail->map->device_count, used = 0;
	uint32_t *stamps = base_calloc(fail->allocator, devices + 1, sizeof(*stamps));
	double sum = 0;

	*out = (struct fail_scatter){.mean = 0};
	if (stamps == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < devices; i++) {
		uint32_t peers;

		if (fail->distinct.first[i] == fail->distinct.first[i + 1])
			continue;
		peers = count_peers(fail, i, stamps);
		out->least = used == 0 || peers < out->least ? peers : out->least;
		out->most = peers > out->most ? peers : out->most;
		sum += peers;
		used++;
	}
	out->mean = used > 0 ? sum / (double)used : 0;
	base_free(fail->allocator, stamps, (devices + 1) * sizeof(*stamps));
	return STREW_OK;
}
