/* SPDX-License-Identifier: MIT */
#include "bench_maps.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LEVELS_MAX 4
#define HALF       0x8000u /* a bucket's sum stays below 65536.0 with 100,000 of them */

enum weights {
	EQUAL,
	BY_HOST, /* each host has its own */
	MIXED,   /* each device has its own; ids in no order */
	ZEROS,   /* one in fifty has none */
	OUT,     /* equal, but a tenth of the devices is out, a third reweighted */
};

struct shape {
	const char *name;
	/** How many items a bucket has, from the root down; 0 ends. All 0: the real one.
	 */
	int fans[LEVELS_MAX + 1];
	enum weights weights;
	const char *alg;
	const char *profile; /* of tunables */
};

static const struct shape shapes[] = {
	{"a", {1, 10, 12}, EQUAL, "straw2", "default"},
	{"b", {10, 20, 24}, EQUAL, "straw2", "default"},
	{"c", {1000, 20}, EQUAL, "straw2", "default"},
	{"d", {10, 20, 25, 20}, EQUAL, "straw2", "default"},
	{"e-hosts", {10, 20, 24}, BY_HOST, "straw2", "default"},
	{"e-mixed", {10, 20, 24}, MIXED, "straw2", "default"},
	{"e-zeros", {10, 20, 24}, ZEROS, "straw2", "default"},
	{"out", {10, 20, 24}, OUT, "straw2", "default"},
	{"tiny", {7, 3, 2}, EQUAL, "straw2", "default"},
	{"real", {0}, MIXED, "straw2", "default"},
	{"argonaut", {10, 20, 24}, EQUAL, "straw2", "legacy"},
	{"straw", {10, 20, 24}, EQUAL, "straw", "default"},
	{"list", {10, 20, 24}, EQUAL, "list", "default"},
	{"tree", {10, 20, 24}, EQUAL, "tree", "default"},
	{"uniform", {10, 20, 24}, EQUAL, "uniform", "default"},
};

/** A map being made. */
struct making {
	strew_builder *builder;
	const struct shape *shape;
	int levels;
	int made[LEVELS_MAX];  /* buckets of each level, from the root down */
	int first[LEVELS_MAX]; /* what is in front of the id of a level's first */
	int devices;
};

enum { DEVICE, HOST, RACK, DATACENTER, ROOT };

static const char *const types[] = {"osd", "host", "rack", "datacenter", "root"};

/** A number that looks like chance and is the same each time. */
static uint32_t noise(int of)
{
	uint32_t word = (uint32_t)of * 2654435769u;

	word = (word ^ word >> 15) * 2246822519u;
	word = (word ^ word >> 13) * 3266489917u;
	return word ^ word >> 16;
}

static uint32_t weight_of(const struct making *making, int device)
{
	int host = device / making->shape->fans[making->levels - 1];

	switch (making->shape->weights) {
	case BY_HOST:
		return 0x4000u + 0x1000u * (noise(host) % 13);
	case MIXED:
		return 0x4000u + noise(device) % 0xc000;
	case ZEROS:
		return noise(device) % 50 ? HALF : 0;
	default:
		return HALF;
	}
}

/** Where ids are in no order, neighbours change places. */
static int device_id(const struct making *making, int device)
{
	return making->shape->weights == MIXED && noise(device / 2) % 2 ? device ^ 1
									: device;
}

static void add_bucket(struct making *making, int id, int type, const char *name)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = type;
	desc.alg = making->shape->alg;
	desc.straw_calc_version = 1;
	strew_builder_add_bucket(making->builder, &desc);
}

static void fill_bucket(struct making *making, int level, int number)
{
	int fan = making->shape->fans[level], id = -1 - making->first[level] - number;
	bool leaf = level + 1 == making->levels;
	char name[32];

	snprintf(name, sizeof(name), "bucket%d", -id);
	add_bucket(making, id, level ? making->levels - level : ROOT, name);
	for (int i = number * fan; i < number * fan + fan; i++)
		strew_builder_add_item(
			making->builder, id,
			leaf ? device_id(making, i) : -1 - making->first[level + 1] - i,
			leaf ? weight_of(making, i) : STREW_AUTO_WEIGHT, 0);
}

static void add_device(struct making *making, int id, const char *class_name)
{
	strew_builder_add_device(making->builder, id, NULL, class_name);
	if (making->shape->weights != OUT)
		return;
	if (noise(id) % 10 == 0)
		strew_builder_set_reweight(making->builder, id, 0);
	else if (noise(id) % 3 == 0)
		strew_builder_set_reweight(making->builder, id, 0xc000);
}

static void add_choosing_rule(struct making *making, const char *name, bool indep,
			      const char *class_name, int type)
{
	strew_builder_add_rule(making->builder, STREW_AUTO_ID, name,
			       indep ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED);
	if (indep) {
		strew_builder_add_step(making->builder, STREW_OP_SET_CHOOSELEAF_TRIES, 5);
		strew_builder_add_step(making->builder, STREW_OP_SET_CHOOSE_TRIES, 100);
	}
	if (class_name)
		strew_builder_add_take_name(making->builder, "root", class_name);
	else
		strew_builder_add_take(making->builder, -1);
	strew_builder_add_choose(making->builder,
				 indep ? STREW_OP_CHOOSELEAF_INDEP
				       : STREW_OP_CHOOSELEAF_FIRSTN,
				 0, type, NULL);
	strew_builder_add_step(making->builder, STREW_OP_EMIT, 0);
}

static void make_regular(struct making *making)
{
	int count = 1, next = 0;

	while (making->shape->fans[making->levels] != 0) {
		making->first[making->levels] = next;
		making->made[making->levels] = count;
		next += count;
		count *= making->shape->fans[making->levels++];
	}
	making->devices = count;
	for (int i = 0; i < making->devices; i++)
		add_device(making, i, NULL);
	for (int level = 0; level < making->levels; level++)
		for (int i = 0; i < making->made[level]; i++)
			fill_bucket(making, level, i);
	add_choosing_rule(making, "firstn-host", false, NULL, HOST);
	add_choosing_rule(making, "indep-host", true, NULL, HOST);
	if (making->made[1] >= 3 && making->levels >= 3)
		add_choosing_rule(making, "firstn-rack", false, NULL, RACK);
}

/** A host as they grow over the years: disks of a few sizes, two SSDs, ids with gaps. */
static void add_grown_host(struct making *making, int rack, int number, int *device)
{
	static const uint32_t tebibytes[] = {0x3a3d7, 0x747ae, 0xae6e0, 0x105c29};
	int id = -100 - number, disks = 8 + (int)(noise(number) % 5);
	char name[32];

	snprintf(name, sizeof(name), "host%d", number);
	add_bucket(making, id, HOST, name);
	strew_builder_add_item(making->builder, rack, id, STREW_AUTO_WEIGHT, 0);
	for (int i = 0; i < disks + 2; i++) {
		bool disk = i < disks;

		*device += noise(*device) % 20 == 0 ? 2 : 1;
		add_device(making, *device, disk ? "hdd" : "ssd");
		if (noise(*device) % 15 == 0)
			strew_builder_set_reweight(making->builder, *device, 0xd999);
		strew_builder_add_item(making->builder, id, *device,
				       disk ? tebibytes[noise(*device / 4) % 4] : 0x1bfe7,
				       0);
	}
}

/** Racks of unequal hosts, with device classes, as clusters become. */
static void make_grown(struct making *making)
{
	int device = 0, host = 0;
	char name[32];

	add_bucket(making, -1, ROOT, "root");
	for (int rack = 0; rack < 8; rack++) {
		snprintf(name, sizeof(name), "rack%d", rack);
		add_bucket(making, -2 - rack, RACK, name);
		strew_builder_add_item(making->builder, -1, -2 - rack, STREW_AUTO_WEIGHT,
				       0);
		for (int i = 4 + (int)(noise(rack) % 9); i > 0; i--)
			add_grown_host(making, -2 - rack, host++, &device);
	}
	strew_builder_derive_shadows(making->builder);
	add_choosing_rule(making, "firstn-rack-hdd", false, "hdd", RACK);
	add_choosing_rule(making, "firstn-host-ssd", false, "ssd", HOST);
	add_choosing_rule(making, "indep-host-hdd", true, "hdd", HOST);
}

const char *bench_map_name(size_t index)
{
	return index < sizeof(shapes) / sizeof(shapes[0]) ? shapes[index].name : NULL;
}

static strew_status make(strew_map **out, const struct shape *shape)
{
	struct making making = {.shape = shape};
	strew_status status = strew_builder_new(&making.builder, NULL);

	if (status != STREW_OK)
		return status;
	for (int i = 0; i <= ROOT; i++)
		strew_builder_add_type(making.builder, i, types[i]);
	strew_builder_set_profile(making.builder, shape->profile);
	if (shape->fans[0])
		make_regular(&making);
	else
		make_grown(&making);
	status = strew_builder_build(out, making.builder, NULL);
	strew_builder_free(making.builder);
	return status;
}

strew_status bench_map_make(strew_map **out, const char *name)
{
	*out = NULL;
	for (size_t i = 0; bench_map_name(i) != NULL; i++)
		if (strcmp(name, bench_map_name(i)) == 0)
			return make(out, &shapes[i]);
	return STREW_ENOTFOUND;
}
