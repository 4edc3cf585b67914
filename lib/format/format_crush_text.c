/* SPDX-License-Identifier: MIT */
/* CRUSH text, as `crushtool -d` prints it and `crushtool -c` reads it;
 * doc/formats/ceph-crush-text.md has the grammar. */
#include "format_crush_text.h"

#include <string.h>

#include "base_error.h"
#include "format_words.h"

/* Enough for the two words that tell. */
#define PROBE_BYTES 64

/* Releases keep these in a byte, and cut what they read to it. */
static bool is_byte(const struct format_token *tunable)
{
	return format_token_is(tunable, "chooseleaf_vary_r") ||
	       format_token_is(tunable, "chooseleaf_stable") ||
	       format_token_is(tunable, "straw_calc_version");
}

static bool read_tunable(struct format_crush *crush)
{
	struct format_token name;
	int64_t value;

	format_crush_turn(crush, &crush->token, STAGE_HEAD,
			  "the tunables come before the buckets");
	format_crush_next(crush);
	if (!format_crush_name(crush, "the name of a tunable", &name) ||
	    !format_crush_integer(crush, "a number from 0 to 4294967295", 0, UINT32_MAX,
				  &value))
		return false;
	if (is_byte(&name))
		value = (uint8_t)value;
	if (format_token_is(&name, "chooseleaf_descend_once"))
		value = value > 0;
	if (format_token_is(&name, "straw_calc_version"))
		crush->straw_calc_version = value > 0;
	strew_builder_set_tunable(format_crush_at(crush, &name), name.text,
				  (uint32_t)value);
	return true;
}

static bool keep_named(struct format_crush *crush, struct base_vec *list, int64_t id,
		       const struct format_token *name, const char *class_name)
{
	struct format_crush_named *named = format_crush_push(crush, list, sizeof(*named));

	if (named)
		*named = (struct format_crush_named){*name, class_name, (int32_t)id,
						     false};
	return true;
}

static bool read_type(struct format_crush *crush)
{
	struct format_token name;
	int64_t id;

	format_crush_turn(crush, &crush->token, STAGE_HEAD,
			  "the types come before the buckets");
	format_crush_next(crush);
	if (format_crush_integer(crush, "the number of a type, from 0 to 65535", 0,
				 UINT16_MAX, &id) &&
	    format_crush_name(crush, "the name of a type", &name))
		return keep_named(crush, &crush->types, id, &name, NULL);
	map_refuse_all(crush->builder, MAP_TYPES);
	return false;
}

static bool read_device_line(struct format_crush *crush)
{
	struct format_token name, class_name = {.text = NULL};
	int64_t id;

	if (!format_crush_integer(crush, "the id of a device, from 0 to 1073741823", 0,
				  STREW_DEVICE_ID_MAX, &id) ||
	    !format_crush_name(crush, "the name of a device", &name))
		return false;
	if (format_crush_word(crush, "class")) {
		if (!format_crush_name(crush, "the name of a device class", &class_name))
			return false;
		map_add_class(crush->builder, class_name.text);
	}
	return keep_named(crush, &crush->devices, id, &name, class_name.text);
}

static bool read_device(struct format_crush *crush)
{
	format_crush_turn(crush, &crush->token, STAGE_HEAD,
			  "the devices come before the buckets");
	format_crush_next(crush);
	if (read_device_line(crush))
		return true;
	crush->has_lost_items = true;
	map_refuse_all(crush->builder, MAP_DEVICES);
	return false;
}

/* Goes past what it reports, so that there is an end to it. */
static bool read_nothing(struct format_crush *crush)
{
	format_crush_expected(
		crush, crush->stage == STAGE_HEAD
			       ? "\"tunable\", \"device\", \"type\", a bucket (its type, "
				 "its name and \"{\") or \"rule\""
			       : "a bucket (its type, its name and \"{\"), \"rule\" or "
				 "\"choose_args\"");
	format_crush_next(crush);
	return false;
}

static enum format_part find_part(const struct format_crush *crush)
{
	const struct format_word *word = format_word(crush->token.text, crush->token.len);

	if (crush->token.kind != TOKEN_WORD)
		return PART_NONE;
	if (word == NULL || word->form != WORD_PART)
		return format_crush_begins_block(crush) ? PART_BUCKET : PART_NONE;
	return format_crush_is_bucket(crush) ? PART_BUCKET
					     : (enum format_part)word->value;
}

static bool (*const parts[])(struct format_crush *) = {
	[PART_TUNABLE] = read_tunable,
	[PART_DEVICE] = read_device,
	[PART_TYPE] = read_type,
	[PART_RULE] = format_crush_rule,
	[PART_CHOOSE_ARGS] = format_crush_choose_args,
	[PART_BUCKET] = format_crush_bucket,
	[PART_NONE] = read_nothing,
};

static void read_document(struct format_crush *crush)
{
	strew_builder_set_profile(crush->builder, "legacy");
	format_crush_next(crush);
	while (crush->token.kind != TOKEN_END && !crush->failed)
		if (!parts[find_part(crush)](crush))
			format_crush_skip(crush);
	format_crush_make_tree(crush);
	format_crush_check_weights(crush);
}

static void free_crush(struct format_crush *crush)
{
	struct base_vec *const vecs[] = {&crush->devices, &crush->types,  &crush->buckets,
					 &crush->items,   &crush->pins,   &crush->ids,
					 &crush->parts,   &crush->numbers};

	for (size_t i = 0; i < sizeof(vecs) / sizeof(vecs[0]); i++)
		base_vec_free(vecs[i], crush->allocator);
	format_names_free(&crush->names, crush->allocator);
	base_free(crush->allocator, crush->scan.copy, crush->scan.count + 1);
	if (crush->locale)
		freelocale(crush->locale);
}

static strew_status read_crush_text(const struct format_input *input,
				    strew_builder *builder, strew_error *error)
{
	struct format_crush crush = {
		.scan = {.bytes = input->bytes, .count = input->count, .line = 1},
		.builder = builder,
		.allocator = input->allocator,
	};
	bool good;

	crush.locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	crush.scan.copy = base_alloc(input->allocator, 1, input->count + 1);
	good = crush.locale && crush.scan.copy;
	if (good) {
		memcpy(crush.scan.copy, input->bytes, input->count);
		read_document(&crush);
	}
	good = good && !crush.failed;
	free_crush(&crush);
	return good ? STREW_OK : base_error_nomem(error);
}

/* What begins as `crushtool -d` begins, or, behind comments, with a device, a type or a
 * tunable. */
/* What crushtool writes of a map without anything in it has at least its end. */
static bool has_content(const struct format_input *input)
{
	static const char end[] = "# end crush map";
	struct format_scan scan = {.bytes = input->bytes, .count = input->count};

	format_scan_blanks(&scan);
	return scan.at < scan.count ||
	       memmem(input->bytes, input->count, end, strlen(end)) != NULL;
}

static int probe_crush_text(const struct format_input *input)
{
	static const char head[] = "# begin crush map";
	struct format_scan scan = {.bytes = input->bytes, .count = input->count};
	struct format_token first, next;
	char copy[PROBE_BYTES + 1];

	if (input->count == 0)
		return 0;
	if (input->count >= strlen(head) && memcmp(input->bytes, head, strlen(head)) == 0)
		return has_content(input) ? 100 : 0;
	format_scan_blanks(&scan);
	scan.bytes += scan.at;
	scan.count -= scan.at;
	scan.count = scan.count < PROBE_BYTES ? scan.count : PROBE_BYTES;
	scan.at = 0;
	scan.copy = memcpy(copy, scan.bytes, scan.count);
	first = format_scan_next(&scan);
	next = format_scan_next(&scan);
	if (format_token_is(&first, "device") || format_token_is(&first, "type"))
		return next.text[0] >= '0' && next.text[0] <= '9' ? 80 : 0;
	return format_token_is(&first, "tunable") && next.kind == TOKEN_WORD ? 80 : 0;
}

const struct format_ops format_crush_text = {
	.name = "crush-text",
	.summary = "Ceph's CRUSH map as text (crushtool -d, crushtool -c)",
	.flags = FORMAT_WHOLE | FORMAT_RAW,
	.probe = probe_crush_text,
	.read = read_crush_text,
	.write = format_crush_write,
};
