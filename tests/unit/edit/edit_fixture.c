/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

#include <stdarg.h>
#include <stdlib.h>

#include <strew/io.h>

static void add_bucket(strew_builder *builder, int32_t id, const char *name, int32_t type,
		       const char *alg)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = type;
	desc.alg = alg;
	strew_builder_add_bucket(builder, &desc);
}

static void hang(strew_builder *builder, int32_t bucket, int32_t item)
{
	strew_builder_add_item(builder, bucket, item, STREW_AUTO_WEIGHT, 0);
}

static void add_tree(strew_builder *builder, bool classes)
{
	static const char *const hosts[] = {"h1", "h2", "h3"};
	const char *alg = classes ? "straw2" : "straw";

	strew_builder_add_type(builder, 0, "osd");
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 2, "rack");
	strew_builder_add_type(builder, 3, "root");
	add_bucket(builder, -1, "default", 3, "straw2");
	add_bucket(builder, -2, "r1", 2, "straw2");
	add_bucket(builder, -3, "r2", 2, alg);
	hang(builder, -1, -2);
	hang(builder, -1, -3);
	for (int32_t i = 0; i < 3; i++) {
		add_bucket(builder, -4 - i, hosts[i], 1, i < 2 ? "straw2" : alg);
		hang(builder, i < 2 ? -2 : -3, -4 - i);
		strew_builder_add_device(builder, 2 * i, NULL, classes ? "ssd" : NULL);
		strew_builder_add_device(builder, 2 * i + 1, NULL,
					 classes ? "hdd" : NULL);
		hang(builder, -4 - i, 2 * i);
		hang(builder, -4 - i, 2 * i + 1);
	}
}

static void add_rule(strew_builder *builder, int32_t id, const char *name,
		     const char *class_name)
{
	strew_builder_add_rule(builder, id, name, STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", class_name);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, 0, "host");
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static void add_pool(strew_builder *builder, int64_t id, const char *name,
		     strew_kind kind, int k)
{
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.kind = kind;
	desc.k = k;
	desc.pg_num = 8;
	strew_builder_add_pool(builder, &desc);
}

static strew_map *finish(strew_builder *builder)
{
	strew_map *map;
	strew_error error;

	if (strew_builder_build(&map, builder, &error) != STREW_OK)
		map = NULL;
	strew_builder_free(builder);
	return map;
}

strew_map *edit_map(const strew_allocator *allocator)
{
	strew_builder *builder;

	if (strew_builder_new(&builder, allocator) != STREW_OK)
		return NULL;
	add_tree(builder, true);
	strew_builder_derive_shadows(builder);
	add_rule(builder, 0, "r", NULL);
	add_rule(builder, 1, "fast", "ssd");
	add_pool(builder, 1, "p", STREW_KIND_REPLICATED, 0);
	add_pool(builder, 2, "ec", STREW_KIND_ERASURE, 2);
	return finish(builder);
}

strew_map *edit_plain_map(void)
{
	static const uint32_t lengths[2] = {0x20000, 0x20000};
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	add_tree(builder, false);
	map_set_table(builder, -6, lengths, 2);
	add_rule(builder, 0, "r", NULL);
	add_pool(builder, 1, "p", STREW_KIND_REPLICATED, 0);
	return finish(builder);
}

strew_map *edited_map(strew_map *map, const char *operations)
{
	strew_map *after;
	strew_edit *edit;
	strew_error error;

	ck_assert_ptr_nonnull(map);
	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	if (strew_edit_apply_script(edit, operations, strlen(operations), "s", &error) ||
	    strew_edit_build(&after, edit, &error))
		ck_abort_msg("%s:%d:%d: %s", error.where, error.line, error.column,
			     error.text);
	strew_edit_free(edit);
	return after;
}

strew_map *edited(const char *operations)
{
	return edited_map(edit_map(NULL), operations);
}

void alike(const char *is, const char *wanted)
{
	size_t at = 0;

	while (is[at] != '\0' && is[at] == wanted[at])
		at++;
	if (is[at] != wanted[at])
		ck_abort_msg("%.80s\nin place of\n%.80s", is + (at > 40 ? at - 40 : 0),
			     wanted + (at > 40 ? at - 40 : 0));
}

void refused(const struct edit_refusal *refusal)
{
	strew_map *map = edit_map(NULL), *after;
	char *before = written(map), *now;
	strew_edit *edit;
	strew_error error = {STREW_OK, 0, 0, "", ""};

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	ck_assert_int_ne(strew_edit_apply(edit, refusal->operation, &error), STREW_OK);
	ck_assert_str_eq(error.text, refusal->text);
	ck_assert_int_eq(error.column, refusal->column);
	ck_assert_int_eq(error.line, 1);
	ck_assert_int_eq(strew_edit_build(&after, edit, &error), STREW_OK);
	now = written(after);
	alike(now, before);
	free(before);
	free(now);
	strew_edit_free(edit);
	strew_map_release(map);
	strew_map_release(after);
}

static size_t put(char *text, size_t at, size_t size, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text + at, size - at, format, args);
	va_end(args);
	ck_assert_uint_lt(at + (size_t)len, size);
	return at + (size_t)len;
}

static size_t draw_part(char *text, size_t at, size_t size,
			const struct map_weight_set *set, const strew_bucket *bucket)
{
	for (size_t i = 0; i < set->bucket_count; i++) {
		const struct map_weights *part = &set->buckets[i];

		if (part->bucket != bucket->id)
			continue;
		at = put(text, at, size, " [%d", (int)set->id);
		for (size_t j = 0; j < part->positions * bucket->item_count; j++)
			at = put(text, at, size, "%s%u",
				 j % bucket->item_count == 0 ? " / " : " ",
				 part->rows[j] / (ONE / 16));
		for (size_t j = 0; part->ids && j < bucket->item_count; j++)
			at = put(text, at, size, " #%d", (int)part->ids[j]);
		at = put(text, at, size, "]");
	}
	return at;
}

const char *draw(const strew_map *map, const char *name)
{
	static char text[1024];
	const strew_bucket *bucket = strew_map_bucket_by_name(map, name);
	size_t at;

	if (bucket == NULL)
		return "no such bucket";
	at = put(text, 0, sizeof(text), "%d %u:", (int)bucket->id,
		 bucket->weight / (ONE / 16));
	for (size_t i = 0; i < bucket->item_count; i++)
		at = put(text, at, sizeof(text), " %d*%u", (int)bucket->items[i].id,
			 bucket->items[i].weight / (ONE / 16));
	for (size_t i = 0; i < map->weight_set_count; i++)
		at = draw_part(text, at, sizeof(text), &map->weight_sets[i], bucket);
	return text;
}

void drawn(strew_map *map, const char *name, const char *picture)
{
	ck_assert_str_eq(draw(map, name), picture);
	strew_map_release(map);
}

void changed(const struct edit_change *change)
{
	drawn(edited(change->operations), change->bucket, change->picture);
}

struct text {
	char *bytes;
	size_t count;
};

static int collect(void *ctx, const void *bytes, size_t count)
{
	struct text *text = ctx;

	text->bytes = realloc(text->bytes, text->count + count + 1);
	memcpy(text->bytes + text->count, bytes, count);
	text->count += count;
	text->bytes[text->count] = '\0';
	return 0;
}

char *written(const strew_map *map)
{
	struct text text = {NULL, 0};
	strew_sink sink = {collect, &text};
	strew_error error;

	if (strew_map_write(map, "json", NULL, &sink, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	return text.bytes;
}
