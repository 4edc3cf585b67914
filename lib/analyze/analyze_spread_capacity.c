/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>
#include <string.h>

#include "base_error.h"

/*
 * What can be stored until a device is full. All pools grow by one factor, in the
 * proportion of their data or, where that isn't known, of their shards. So what a device
 * is going to hold is its load times that factor.
 */

#define ROUNDING 1e-9

static size_t row_bytes(const struct spread *spread)
{
	return spread->map->device_count / 8 + 1;
}

bool analyze_spread_add_reaches(struct spread *spread)
{
	size_t groups = spread->plan.group_count;

	spread->demands =
		base_calloc(spread->allocator, groups, sizeof(*spread->demands));
	spread->limits = base_calloc(spread->allocator, groups, sizeof(*spread->limits));
	spread->reaches = base_calloc(spread->allocator, groups, row_bytes(spread));
	return spread->demands && spread->limits && spread->reaches;
}

void analyze_spread_forget(struct spread *spread)
{
	size_t groups = spread->plan.group_count;

	base_free(spread->allocator, spread->demands, groups * sizeof(*spread->demands));
	base_free(spread->allocator, spread->limits, groups * sizeof(*spread->limits));
	base_free(spread->allocator, spread->reaches, groups * row_bytes(spread));
}

void analyze_spread_set_reach(struct spread *spread, size_t demand, size_t device)
{
	uint8_t *row = spread->reaches + demand * row_bytes(spread);

	row[device / 8] |= (uint8_t)(1u << device % 8);
}

static bool reaches(const struct spread *spread, size_t demand, size_t device)
{
	const uint8_t *row = spread->reaches + demand * row_bytes(spread);

	return row[device / 8] >> device % 8 & 1;
}

/* Sizes in bytes where all are known of devices that hold or should hold something. */
static void choose_sizes(struct spread *spread)
{
	spread->has_sizes = true;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const struct spread_load *load = &spread->devices[i].load;

		if ((load->expected > 0 || load->shards > 0) && isnan(load->size))
			spread->has_sizes = false;
	}
}

static double size_of(const struct spread *spread, const struct spread_load *load)
{
	return spread->has_sizes ? load->size : load->weight;
}

/* Devices that can be given something. */
static void list_sizes(const struct spread *spread, double *sizes)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const strew_device *device = &spread->map->devices[i];
		const struct spread_load *load = &spread->devices[i].load;
		bool serves = device->exists && device->up && device->reweight > 0;
		double size = size_of(spread, load);

		sizes[i] = serves && load->weight > 0 && size > 0 ? size : 0;
	}
}

static void set_loads(struct spread *spread)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		struct spread_load *load = &spread->devices[i].load;

		load->now = spread->has_data ? load->bytes
					     : load->stages[SPREAD_FILLED] *
						       (double)spread->totals.placed;
	}
}

strew_status analyze_spread_capacity(struct spread *spread)
{
	size_t room = spread->map->device_count + 1;
	double *sizes = base_alloc(spread->allocator, room, sizeof(*sizes));
	strew_status status;

	if (sizes == NULL)
		return base_error_nomem(spread->error);
	choose_sizes(spread);
	set_loads(spread);
	list_sizes(spread, sizes);
	status = analyze_bound_limits(spread->limits, spread->demands,
				      spread->demand_count, sizes, spread->allocator,
				      spread->error);
	base_free(spread->allocator, sizes, room * sizeof(*sizes));
	return status;
}

static struct spread_room start_room(void)
{
	return (struct spread_room){.growth = HUGE_VAL,
				    .growth_later = HUGE_VAL,
				    .first = -1,
				    .first_later = -1,
				    .limit = {HUGE_VAL, true}};
}

/* Of equals the lowest. */
static void limit_now(struct spread_room *room, const struct spread *spread,
		      size_t device)
{
	const struct spread_load *load = &spread->devices[device].load;
	double size = size_of(spread, load), growth = size / load->now;

	/* A weight of 0 tells no size. */
	if (!(load->now > 0) || (!spread->has_sizes && !(size > 0)) ||
	    growth > room->growth ||
	    (growth >= room->growth && (int32_t)device > room->first))
		return;
	room->growth = growth;
	room->first = (int32_t)device;
}

static void add_device(struct spread_room *room, const struct spread *spread,
		       size_t device)
{
	const struct spread_load *load = &spread->devices[device].load;
	double growth = size_of(spread, load) / load->later;

	room->devices++;
	room->size += size_of(spread, load);
	room->now += load->now;
	room->later += load->later;
	if (load->later > 0 && growth < room->growth_later) {
		room->growth_later = growth;
		room->first_later = (int32_t)device;
	}
}

static void add_limit(struct spread_room *room, const struct analyze_limit *limit)
{
	if (limit->growth < room->limit.growth)
		room->limit = *limit;
}

/* Limits are those of full sets. Where shards find no device, more may fit than that. */
static struct spread_room finish_room(struct spread_room room)
{
	double reached = isfinite(room.growth_later) ? room.growth_later : 0;

	if (room.limit.growth < reached * (1 - ROUNDING))
		room.limit = (struct analyze_limit){reached, false};
	return room;
}

static size_t touched_end(const struct spread *spread, size_t group)
{
	return group + 1 < spread->plan.group_count ? spread->groups[group + 1].touched
						    : spread->touched.count;
}

struct spread_room analyze_spread_pool_room(const struct spread *spread, size_t group)
{
	const uint32_t *touched = spread->touched.items;
	size_t demand = spread->groups[group].demand;
	struct spread_room room = start_room();

	for (size_t i = spread->groups[group].touched; i < touched_end(spread, group);
	     i++)
		limit_now(&room, spread, touched[i]);
	for (size_t i = 0; i < spread->map->device_count; i++) {
		if (reaches(spread, demand, i))
			add_device(&room, spread, i);
	}
	add_limit(&room, &spread->limits[demand]);
	return finish_room(room);
}

/* any_class: all devices. */
static struct spread_room find_room(const struct spread *spread, const char *class_name,
				    bool any_class)
{
	struct spread_room room = start_room();

	for (size_t i = 0; i < spread->map->device_count; i++) {
		const struct spread_load *load = &spread->devices[i].load;

		if (!any_class && spread->map->devices[i].class_name != class_name)
			continue;
		limit_now(&room, spread, i);
		if (!(load->later > 0))
			continue;
		add_device(&room, spread, i);
		for (size_t d = 0; d < spread->demand_count; d++) {
			if (reaches(spread, d, i))
				add_limit(&room, &spread->limits[d]);
		}
	}
	return finish_room(room);
}

struct spread_room analyze_spread_class_room(const struct spread *spread,
					     const char *class_name)
{
	return find_room(spread, class_name, false);
}

struct spread_room analyze_spread_whole_room(const struct spread *spread)
{
	return find_room(spread, NULL, true);
}
