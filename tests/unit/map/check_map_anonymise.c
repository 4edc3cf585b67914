/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "support.h"

/* All names of a map, in the order of its lists. */
static const char *names_of(const strew_map *map)
{
	static char text[2048];
	size_t at = 0;

#define TELL(list, count)                                                                \
	for (size_t i = 0; i < map->count && at < sizeof(text); i++)                     \
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %s",              \
				       map->list[i].name);                               \
	at += (size_t)snprintf(text + at, sizeof(text) - at, ";")

	at = (size_t)snprintf(text, sizeof(text), "%s;", map->name);
	TELL(types, type_count);
	TELL(classes, class_count);
	TELL(devices, device_count);
	TELL(buckets, bucket_count);
	TELL(rules, rule_count);
	TELL(weight_sets, weight_set_count);
	TELL(pools, pool_count);
	TELL(profiles, profile_count);
#undef TELL
	return text;
}

static strew_map *anonymise(strew_map *map)
{
	strew_map *other = NULL;
	strew_error error = {STREW_OK, 0, 0, "", ""};

	if (strew_map_anonymise(&other, map, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_map_release(map);
	return other;
}

static void add_pool(strew_builder *builder, int64_t id, const char *name,
		     const char *profile)
{
	strew_pool_desc desc = pool_desc(id, name);

	desc.erasure_profile = profile;
	strew_builder_add_pool(builder, &desc);
}

static const char *const words[] = {
	"crush-root",
	"berlin",
	"crush-failure-domain",
	"cage",
	"crush-device-class",
	"fast",
	"directory",
	"/home/jo",
	"k",
	"4",
	"plugin",
	"isa",
};

static strew_map *make_map(const strew_allocator *allocator)
{
	strew_builder *builder = start(allocator);

	strew_builder_set_name(builder, "acme");
	strew_builder_add_type(builder, 12, "cage");
	add_bucket(builder, -3, "berlin", 3);
	add_bucket(builder, -9, "cage-of-jo", 12);
	add_host(builder, -1, "db-acme", 0, 2);
	strew_builder_add_device(builder, 7, "jo's disk", "fast");
	strew_builder_add_device(builder, 8, NULL, "ssd");
	strew_builder_add_device(builder, 9, "device9", NULL);
	map_set_unnamed(builder, MAP_DEVICES, 9);
	hang(builder, -1, 7);
	hang(builder, -1, 8);
	hang(builder, -1, 9);
	hang(builder, -9, -1);
	hang(builder, -3, -9);
	strew_builder_derive_shadows(builder);
	strew_builder_add_rule(builder, 0, "gold", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "berlin", "fast");
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_rule(builder, 4, "", STREW_KIND_REPLICATED);
	strew_builder_add_weight_set(builder, -1, "mine");
	strew_builder_add_erasure_profile(builder, "acme-ec", words, 6);
	add_pool(builder, 5, "invoices", "acme-ec");
	add_pool(builder, 6, "mail", "nowhere");
	map_add_remark(builder, &(struct map_remark){.owner = MAP_OF_BUCKET,
						     .id = -1,
						     .name = "note",
						     .text = "\"call jo\""});
	map_add_stray(builder, &(struct map_stray){.kind = MAP_STRAY_ITEM,
						   .id = -50,
						   .name = "old-acme"});
	map_add_stray(
		builder,
		&(struct map_stray){.kind = MAP_STRAY_RULE, .id = 9, .name = "silver"});
	map_set_layout(builder, &(struct map_layout){.rest = (const uint8_t *)"acme",
						     .rest_count = 4});
	return finish(builder);
}

START_TEST(all_names_are_neutral)
{
	strew_map *map = anonymise(make_map(NULL));

	ck_assert_str_eq(names_of(map),
			 "; device host rack root type-12;"
			 " class-0 ssd;"
			 " osd.0 osd.1 osd.7 osd.8 device9;"
			 " host-1 host-1~class-0 root-3 type-12-9~class-0 "
			 "root-3~class-0 host-1~ssd type-12-9~ssd root-3~ssd type-12-9;"
			 " rule-0 ; -1; pool-5 pool-6; profile-1;");
	ck_assert(map->devices[4].unnamed);
	ck_assert_str_eq(map->devices[2].class_name, "class-0");
	ck_assert_str_eq(map->strays[0].name, "stray-item-50");
	ck_assert_str_eq(map->strays[1].name, "stray-rule-9");
	ck_assert_str_eq(map->pools[0].profile, "profile-1");
	ck_assert_str_eq(map->pools[1].profile, "");
	ck_assert_uint_eq(map->remark_count, 0);
	ck_assert_uint_eq(map->layout.rest_count, 0);
	warned(map, NULL);
}
END_TEST

START_TEST(profiles_keep_what_names_nobody)
{
	strew_map *map = anonymise(make_map(NULL));
	const struct map_profile *profile = &map->profiles[0];
	char text[256] = "";
	size_t at = 0;

	for (size_t i = 0; i < profile->count; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s=%s ",
				       profile->parameters[i].key,
				       profile->parameters[i].value);
	ck_assert_str_eq(text, "crush-device-class=class-0 crush-failure-domain=type-12 "
			       "crush-root=root-3 k=4 plugin=isa ");
	strew_map_release(map);
}
END_TEST

START_TEST(the_rest_is_as_it_was)
{
	strew_map *map = make_map(NULL), *other = anonymise(strew_map_retain(map));

	ck_assert_uint_eq(map->bucket_count, other->bucket_count);
	for (size_t i = 0; i < map->bucket_count; i++) {
		ck_assert_int_eq(map->buckets[i].id, other->buckets[i].id);
		ck_assert_int_eq(map->buckets[i].shadow_of, other->buckets[i].shadow_of);
		ck_assert_uint_eq(map->buckets[i].weight, other->buckets[i].weight);
	}
	ck_assert_int_eq(map->rules[0].steps[0].arg1, other->rules[0].steps[0].arg1);
	ck_assert_str_eq(map->name, "acme");
	strew_map_release(map);
	strew_map_release(other);
}
END_TEST

START_TEST(each_failed_allocation_is_an_error)
{
	struct support_heap heap;
	strew_map *map, *other = NULL;
	size_t failures = 0, blocks, calls;

	support_heap_init(&heap);
	map = make_map(&heap.allocator);
	blocks = heap.blocks;
	calls = heap.calls;
	for (size_t i = 1; other == NULL; i++) {
		heap.calls = calls;
		heap.fail_at = calls + i;
		if (strew_map_anonymise(&other, map, NULL) == STREW_OK)
			break;
		ck_assert_ptr_null(other);
		ck_assert_uint_eq(heap.blocks, blocks);
		failures++;
	}
	ck_assert_uint_gt(failures, 20);
	strew_map_release(other);
	strew_map_release(map);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

TCase *check_map_anonymise(void)
{
	TCase *tcase = tcase_create("map_anonymise");

	tcase_add_test(tcase, all_names_are_neutral);
	tcase_add_test(tcase, profiles_keep_what_names_nobody);
	tcase_add_test(tcase, each_failed_allocation_is_an_error);
	tcase_add_test(tcase, the_rest_is_as_it_was);
	return tcase;
}
