/* SPDX-License-Identifier: MIT */
/* Ceph's binary OSD map, as `ceph osd getmap` and osdmaptool write it. */
#include <stdio.h>
#include <string.h>

#include "base_crc.h"
#include "base_error.h"
#include "format_crush_bin.h"
#include "format_osdmap_priv.h"

/* Versions of the whole, and of the part for clients, that are understood. */
#define WHOLE_MIN  7
#define WHOLE_MAX  8
#define CLIENT_MIN 8
#define CLIENT_MAX 10

/* From these versions of the part for clients on there are: */
#define CLIENT_UPMAP_PRIMARIES 10
#define CLIENT_DATES           9

#define STATE_EXISTS 1
#define STATE_UP     2

#define ADVICE                                                                           \
	"export JSON in its place, by `ceph osd dump -f json` or `osdmaptool %s "        \
	"--dump json`, and join it to the CRUSH map"

bool format_osdmap_good(const struct format_osdmap *map)
{
	return map->status == STREW_OK && map->bytes.lacks == 0;
}

static void refuse(struct format_osdmap *map, strew_status status, size_t at,
		   const char *text, va_list args)
{
	char where[256];

	if (!format_osdmap_good(map))
		return;
	snprintf(where, sizeof(where), "%.200s: %s", map->input->name,
		 base_bytes_place(at).text);
	map->status = base_error_vat(map->error, status, where, 0, 0, text, args);
}

void format_osdmap_refuse(struct format_osdmap *map, size_t at, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	refuse(map, STREW_ESYNTAX, at, text, args);
	va_end(args);
}

void format_osdmap_refuse_version(struct format_osdmap *map, size_t at, const char *text,
				  ...)
{
	strew_error what;
	va_list args;

	va_start(args, text);
	base_error_vat(&what, STREW_EFORMAT, NULL, 0, 0, text, args);
	va_end(args);
	format_osdmap_refuse(map, at, "%s; " ADVICE, what.text, map->input->name);
	if (map->error && map->status == STREW_ESYNTAX)
		map->error->status = map->status = STREW_EFORMAT;
}

void format_osdmap_no_memory(struct format_osdmap *map)
{
	if (map->status == STREW_OK)
		map->status = base_error_nomem(map->error);
}

strew_builder *format_osdmap_builder(struct format_osdmap *map, size_t at)
{
	strew_builder_at_path(map->builder, base_bytes_place(at).text);
	return map->builder;
}

uint32_t format_osdmap_count(struct format_osdmap *map, size_t size)
{
	size_t at = map->bytes.at;
	uint32_t count = base_bytes_get_u32(&map->bytes);
	size_t left = base_bytes_left(&map->bytes);

	if (count <= left / size)
		return count;
	format_osdmap_refuse(map, at,
			     "there are said to be %u things here, of at least %zu bytes "
			     "each, but only %zu bytes follow",
			     count, size, left);
	return 0;
}

const char *format_osdmap_text(struct format_osdmap *map)
{
	uint32_t len = format_osdmap_count(map, 1);
	size_t at = map->bytes.at;
	const uint8_t *bytes = base_bytes_get(&map->bytes, len, 1);
	char *text = NULL;

	if (!format_osdmap_good(map))
		return NULL;
	if (len > 0 && memchr(bytes, '\0', len)) {
		format_osdmap_refuse(map, at, "this name holds a zero byte");
		return NULL;
	}
	text = base_arena_alloc(&map->arena, (size_t)len + 1, 1);
	if (text == NULL)
		format_osdmap_no_memory(map);
	else if (len > 0)
		memcpy(text, bytes, len);
	return text;
}

struct format_osdmap_frame format_osdmap_frame(struct format_osdmap *map)
{
	struct format_osdmap_frame frame = {.at = map->bytes.at};
	uint32_t len;

	frame.version = base_bytes_get_u8(&map->bytes);
	frame.compat = base_bytes_get_u8(&map->bytes);
	len = base_bytes_get_u32(&map->bytes);
	if (len > base_bytes_left(&map->bytes))
		format_osdmap_refuse(map, frame.at + 2,
				     "the record that begins here is said to have %u "
				     "bytes, but only %zu follow; is the file cut short?",
				     len, base_bytes_left(&map->bytes));
	frame.content =
		base_bytes_get_part(&map->bytes, map->status == STREW_OK ? len : 0);
	return frame;
}

/* A vector with an entry for each device, or, where it may be empty, for none. */
static const uint8_t *read_words(struct format_osdmap *map, const char *what,
				 bool may_be_empty)
{
	size_t at = map->bytes.at;
	uint32_t count = format_osdmap_count(map, 4);

	if (count == 0 && may_be_empty)
		return NULL;
	if (count != (uint32_t)map->max_osd)
		format_osdmap_refuse(map, at,
				     "there are %u %s here, but the map has room for %d "
				     "devices",
				     count, what, (int)map->max_osd);
	return base_bytes_get(&map->bytes, count, 4);
}

/* A list of records behind a version; each has a byte before it. */
static void skip_addresses(struct format_osdmap *map)
{
	uint32_t count = format_osdmap_count(map, 1 + 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		size_t at = map->bytes.at;
		int version = base_bytes_get_u8(&map->bytes);
		uint32_t addresses;

		if (version != 2)
			format_osdmap_refuse_version(
				map, at,
				"the addresses of a device have the version %d, not 2",
				version);
		addresses = format_osdmap_count(map, 1 + 6);
		for (uint32_t j = 0; j < addresses && format_osdmap_good(map); j++) {
			format_osdmap_skip(map, 1, 1);
			format_osdmap_frame(map);
		}
	}
}

static void read_max_osd(struct format_osdmap *map)
{
	size_t at = map->bytes.at;

	map->max_osd = base_bytes_get_i32(&map->bytes);
	if (map->max_osd < 0 || map->max_osd > STREW_DEVICE_ID_MAX + 1)
		format_osdmap_refuse(map, at,
				     "the map has room for %d devices; that is from 0 to "
				     "%d",
				     (int)map->max_osd, STREW_DEVICE_ID_MAX + 1);
	if (format_osdmap_good(map))
		strew_builder_set_device_limit(format_osdmap_builder(map, at),
					       map->max_osd);
}

/* Of those that don't exist nothing is told: that is what the limit means. */
static void tell_devices(struct format_osdmap *map, const uint8_t *states,
			 const uint8_t *weights)
{
	size_t weights_at = weights ? (size_t)(weights - map->bytes.bytes) : 0;

	for (int32_t i = 0; format_osdmap_good(map) && i < map->max_osd; i++) {
		uint32_t state = base_bytes_u32_at(states, (size_t)i);

		if (!(state & STATE_EXISTS))
			continue;
		format_osdmap_builder(map, weights_at + 4 * (size_t)i);
		strew_builder_set_state(map->builder, i, 1, (state & STATE_UP) != 0);
		strew_builder_set_reweight(map->builder, i,
					   base_bytes_u32_at(weights, (size_t)i));
	}
}

static void read_affinities(struct format_osdmap *map, const uint8_t *states)
{
	const uint8_t *words = read_words(map, "primary affinities", true);

	for (int32_t i = 0; words && format_osdmap_good(map) && i < map->max_osd; i++) {
		size_t at = (size_t)(words - map->bytes.bytes) + 4 * (size_t)i;

		if (base_bytes_u32_at(states, (size_t)i) & STATE_EXISTS)
			strew_builder_set_primary_affinity(
				format_osdmap_builder(map, at), i,
				base_bytes_u32_at(words, (size_t)i));
	}
}

static void read_crush(struct format_osdmap *map)
{
	uint32_t len = format_osdmap_count(map, 1);
	struct base_bytes part = base_bytes_get_part(&map->bytes, len);

	if (format_osdmap_good(map))
		map->status =
			format_crush_bin_read(map->input, part, map->builder, map->error);
}

/* Snapshots that were or are removed, by pool. */
static void skip_intervals(struct format_osdmap *map)
{
	uint32_t pools = format_osdmap_count(map, 8 + 4);

	for (uint32_t i = 0; i < pools && format_osdmap_good(map); i++) {
		format_osdmap_skip(map, 1, 8);
		format_osdmap_skip(map, format_osdmap_count(map, 16), 16);
	}
}

static void read_overrides(struct format_osdmap *map)
{
	format_osdmap_sets(map, strew_builder_add_upmap);
	format_osdmap_pairs(map);
	format_osdmap_skip(map, 1, 4);
	skip_intervals(map);
	skip_intervals(map);
	if (map->version >= CLIENT_DATES)
		format_osdmap_skip(map, 2, 8);
	if (map->version >= CLIENT_UPMAP_PRIMARIES)
		format_osdmap_primaries(map, strew_builder_set_upmap_primary);
}

/* The part for clients has all that decides where data is. */
static void read_client(struct format_osdmap *map)
{
	const uint8_t *states, *weights;

	format_osdmap_skip(map, 16, 1);
	strew_builder_set_epoch(map->builder, base_bytes_get_u32(&map->bytes));
	format_osdmap_skip(map, 4, 4);
	format_osdmap_pools(map);
	format_osdmap_skip(map, 2, 4);
	read_max_osd(map);
	states = read_words(map, "states", false);
	weights = read_words(map, "weights", false);
	tell_devices(map, states, weights);
	skip_addresses(map);
	format_osdmap_sets(map, strew_builder_add_pg_temp);
	format_osdmap_primaries(map, strew_builder_set_primary_temp);
	read_affinities(map, states);
	read_crush(map);
	format_osdmap_profiles(map);
	read_overrides(map);
	if (format_osdmap_good(map) && base_bytes_left(&map->bytes) > 0)
		format_osdmap_refuse_version(
			map, map->bytes.at,
			"%zu bytes here are not understood; a later release may have "
			"put facts there",
			base_bytes_left(&map->bytes));
}

static void check_crc(struct format_osdmap *map, size_t at)
{
	const uint8_t *bytes = map->bytes.bytes;
	uint32_t stored = base_bytes_get_u32(&map->bytes), crc;

	if (!format_osdmap_good(map))
		return;
	crc = base_crc32c(BASE_CRC_START, bytes, at);
	crc = base_crc32c(crc, bytes + at + 4, map->bytes.end - at - 4);
	if (crc != stored)
		format_osdmap_refuse(map, at,
				     "the checksum of the map is 0x%08x, but its content "
				     "has 0x%08x: it is damaged",
				     stored, crc);
}

static void check_version(struct format_osdmap *map,
			  const struct format_osdmap_frame *frame, const char *what,
			  int min, int max)
{
	if (frame->version < min || frame->version > max)
		format_osdmap_refuse_version(map, frame->at,
					     "%s has the version %d; what can be read is "
					     "%d to %d",
					     what, frame->version, min, max);
}

/* The whole: the part for clients, the part for OSDs, the checksum. It is checked first,
 * so that nothing is told of a damaged file. */
static void read_whole(struct format_osdmap *map)
{
	struct format_osdmap_frame whole = format_osdmap_frame(map), client;

	check_version(map, &whole, "the map", WHOLE_MIN, WHOLE_MAX);
	if (format_osdmap_good(map) && base_bytes_left(&map->bytes) > 0)
		format_osdmap_refuse(map, map->bytes.at, "%zu bytes follow the map",
				     base_bytes_left(&map->bytes));
	if (!format_osdmap_good(map))
		return;
	map->bytes = whole.content;
	client = format_osdmap_frame(map);
	check_version(map, &client, "the part for clients", CLIENT_MIN, CLIENT_MAX);
	format_osdmap_frame(map);
	check_crc(map, map->bytes.at);
	if (!format_osdmap_good(map))
		return;
	map->version = client.version;
	map->bytes = client.content;
	read_client(map);
}

static strew_status read_osdmap(const struct format_input *input, strew_builder *builder,
				strew_error *error)
{
	struct format_osdmap map = {.input = input, .builder = builder, .error = error};

	base_bytes_init(&map.bytes, input->bytes, input->count);
	base_arena_init(&map.arena, input->allocator);
	read_whole(&map);
	if (map.status == STREW_OK && map.bytes.lacks > 0) {
		size_t at = map.bytes.at;

		map.bytes.lacks = 0;
		format_osdmap_refuse(&map, at,
				     "what begins here is not there as a whole; is the "
				     "file cut short, or a length before this wrong?");
	}
	base_arena_free(&map.arena);
	return map.status;
}

/* A version of the whole that there was, the oldest reader of it, and the length of what
 * follows. */
static int probe_osdmap(const struct format_input *input)
{
	struct base_bytes bytes;
	int version, compat;

	base_bytes_init(&bytes, input->bytes, input->count);
	version = base_bytes_get_u8(&bytes);
	compat = base_bytes_get_u8(&bytes);
	if (version < WHOLE_MIN || version > 32 || compat != WHOLE_MIN)
		return 0;
	return base_bytes_get_u32(&bytes) == base_bytes_left(&bytes) ? 95 : 60;
}

const struct format_ops format_osdmap = {
	.name = "osdmap",
	.summary = "Ceph's binary OSD map (ceph osd getmap): a whole cluster",
	.flags = FORMAT_WHOLE | FORMAT_RAW,
	.probe = probe_osdmap,
	.read = read_osdmap,
};
