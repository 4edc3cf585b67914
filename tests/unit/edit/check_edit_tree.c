/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_change changes[] = {
	{"add host:h9 to r2", "r2", "-3 32: -6*32 -19*0"},
	{"add host:h9", "h9", "-19 0:"},
	{"add host:h9 to r2\nadd device 8-9 to h9 weight 2", "default",
	 "-1 160: -2*64 -3*96"},
	{"move h1 to r2", "r2", "-3 64: -6*32 -4*32"},
	{"move h1 to r2", "r1", "-2 32: -5*32"},
	{"move h1 to r2", "default", "-1 96: -2*32 -3*64"},
	{"move osd.0 to h3", "h3", "-6 48: 4*16 5*16 0*16"},
	{"move osd.0 to h1", "h1", "-4 32: 0*16 1*16"},
	{"move r2 to r1", "default", "-1 96: -2*96"},
	{"reweight h2 5\nmove h2 to r2", "r2", "-3 64: -6*32 -5*32"},
	{"swap h1 with h3", "r1", "-2 64: -4*32 -5*32"},
	{"swap h1 with h3", "h3", "-4 32: 4*16 5*16"},
	{"reweight osd.0 3\nswap h1 with h3", "r2", "-3 64: -6*64"},
	{"link h1 to r2", "r2", "-3 64: -6*32 -4*32"},
	{"link h1 to r2\nreweight osd.0 3", "default", "-1 192: -2*96 -3*96"},
	{"link h1 to r2\nunlink h1 from r1", "r1", "-2 32: -5*32"},
	{"link h1 to r2\nmove h1 to default", "default", "-1 96: -2*32 -3*32 -4*32"},
	{"unlink osd.0 from h1", "h1", "-4 16: 1*16"},
	{"remove osd.0", "r1", "-2 48: -4*16 -5*32"},
	{"remove osd.4\nremove osd.5\nremove h3", "r2", "-3 0:"},
	{"remove osd.4\nremove osd.5\nremove h3", "h3~ssd", "no such bucket"},
	{"remove r1 with contents", "default", "-1 32: -3*32"},
	{"remove r1 with contents", "h1", "no such bucket"},
	{"link h1 to r2\nremove r1 with contents", "r2", "-3 64: -6*32 -4*32"},
	{"link osd.0 to h3\nremove h1 with contents", "h3", "-6 48: 4*16 5*16 0*16"},
	{"remove osd.0 with contents", "h1", "-4 16: 1*16"},
	{"set h1 alg uniform\nadd device 9 to h1 weight 1", "h1",
	 "-4 48: 0*16 1*16 9*16"},
};

START_TEST(buckets_are_as_the_monitor_leaves_them)
{
	changed(&changes[_i]);
}
END_TEST

static const struct edit_refusal refusals[] = {
	{"add host:h1 to r1", 5,
	 "the name \"h1\" is taken, by host h1; names of devices and buckets must be "
	 "unique"},
	{"add h9 to r1", 5,
	 "\"h9\" must be the type and the name of the new bucket, such as host:h9"},
	{"add hist:h9 to r1", 5,
	 "there is no type \"hist\" of buckets; did you mean \"host\"?"},
	{"add osd:h9 to r1", 5,
	 "osd is the type of devices, which are added by \"add device\""},
	{"add host:a~b to r1", 5,
	 "\"a~b\" has a \"~\", which only the shadows of device classes have"},
	{"add host:h9 id -4", 16, "the id -4 is taken, by h1"},
	{"add host:h9 id 4", 16, "a bucket's id is from -1 down to -1073741824"},
	{"add host:h9 alg strw", 17,
	 "there is no selector \"strw\"; did you mean \"straw\"?"},
	{"move default to h1", 17,
	 "host h1 is below root default, which would hang in itself"},
	{"move h1 to h1", 12, "host h1 can't hang in itself"},
	{"link r1 to h2", 12, "host h2 is below rack r1, which would hang in itself"},
	{"link h1 to r1", 12, "host h1 hangs in rack r1 already"},
	{"unlink h1 from r2", 16, "host h1 does not hang in rack r2"},
	{"swap h1 with r1", 6, "host h1 is below rack r1, which would hang in itself"},
	{"swap h1 with r2", 14, "host h1 and rack r2 are of different types"},
	{"remove h3", 8,
	 "host h3 holds 2 items; move or remove them first, or \"remove h3 with "
	 "contents\""},
	{"remove default with contents", 8,
	 "root default is what the rule \"r\" takes; remove the rule first"},
	{"rename h1 h2", 11,
	 "the name \"h2\" is taken, by host h2; names of devices and buckets must be "
	 "unique"},
	{"rename h1 \"\"", 11, "NAME can't be empty"},
	{"set h1 alg foo", 12, "there is no selector \"foo\""},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(the_selector_is_the_best_that_is_allowed)
{
	static const char *const allowed[] = {"54", "22", "12", "4", "2", "0"};
	static const char *const algs[] = {"straw2", "straw",   "tree",
					   "list",   "uniform", "straw2"};
	char text[80];
	strew_map *map;

	for (size_t i = 0; i < sizeof(algs) / sizeof(algs[0]); i++) {
		snprintf(text, sizeof(text),
			 "set tunable allowed_bucket_algs %s\nadd host:h9", allowed[i]);
		map = edited(text);
		ck_assert_str_eq(strew_map_bucket_by_name(map, "h9")->alg, algs[i]);
		strew_map_release(map);
	}
}
END_TEST

START_TEST(removed_ids_are_given_again)
{
	drawn(edited("remove h3 with contents\nadd host:h9 to r2"), "h9", "-6 0:");
}
END_TEST

START_TEST(a_removed_device_takes_its_upmaps_along)
{
	strew_map *map = edited("add upmap 1.0 0 to 4\nadd upmap 1.0 1 to 5\n"
				"set upmap 1.1 0,2,4\nset primary 1.1 4\nremove 4");

	ck_assert_uint_eq(map->override_count, 1);
	ck_assert_uint_eq(map->overrides[0].upmap_item_count, 1);
	ck_assert_int_eq(map->overrides[0].upmap_items[1], 5);
	strew_map_release(map);
}
END_TEST

START_TEST(uniform_buckets_take_one_weight_only)
{
	strew_map *map = edited("set h1 alg uniform");
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	ck_assert_int_eq(strew_edit_apply(edit, "add device 9 to h1 weight 2", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text, "host h1 is uniform, and its items weigh 1; what is "
				     "added must weigh the same, and weighs 2");
	ck_assert_int_eq(strew_edit_apply(edit, "reweight osd.2 2", &error), STREW_OK);
	ck_assert_int_eq(strew_edit_apply(edit, "set h2 alg uniform", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text, "the items of host h2 weigh differently, which "
				     "uniform can't have");
	strew_edit_free(edit);
	drawn(edited_map(map, "reweight osd.0 3"), "h1", "-4 96: 0*48 1*48");
}
END_TEST

/* Remarks on h1, on the weights of its items, and on a link to it in r2. */
static strew_map *noted_map(void)
{
	static const uint32_t weights[] = {ONE, ONE};
	strew_map *map = edit_map(NULL);
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -4, weights, 2);
	strew_builder_add_weight_row(builder, -6, weights, 2);
	map_add_remark(builder, &(struct map_remark){.owner = MAP_OF_BUCKET,
						     .id = -4,
						     .name = "_",
						     .text = "bucket"});
	map_add_remark(builder, &(struct map_remark){.owner = MAP_OF_WEIGHTS,
						     .id = -1,
						     .other = -4,
						     .name = "_",
						     .text = "weights"});
	strew_builder_add_item(builder, -3, -4, ONE, STREW_ITEM_LINK);
	map_add_remark(
		builder,
		&(struct map_remark){.owner = MAP_OF_LINK, .name = "_", .text = "link"});
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_OK);
	strew_builder_free(builder);
	return map;
}

static const char *remark_at(const strew_map *map, enum map_owner owner, int64_t id,
			     int64_t other)
{
	size_t count;
	const struct map_remark *remarks = map_remarks(map, owner, id, other, &count);

	return count == 1 ? remarks->text : "none";
}

START_TEST(remarks_go_along_when_buckets_are_swapped)
{
	strew_map *map = edited_map(noted_map(), "swap r1 with r2\nswap h1 with h3");

	ck_assert_str_eq(remark_at(map, MAP_OF_LINK, -2, 1), "link");
	ck_assert_str_eq(remark_at(map, MAP_OF_BUCKET, -6, 0), "bucket");
	ck_assert_str_eq(remark_at(map, MAP_OF_WEIGHTS, -1, -6), "weights");
	strew_map_release(map);
}
END_TEST

START_TEST(stored_tables_go_with_what_they_were_made_for)
{
	strew_map *map = edit_plain_map();

	ck_assert_ptr_nonnull(strew_map_bucket_by_name(map, "h3")->table);
	map = edited_map(map, "move h1 to r2\nset tunable straw_calc_version 0");
	ck_assert_ptr_nonnull(strew_map_bucket_by_name(map, "h3")->table);
	map = edited_map(map, "reweight osd.4 2");
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "h3")->table);
	ck_assert_int_eq(strew_map_bucket_by_name(map, "h3")->straw_calc_version, 0);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_tree(void)
{
	TCase *tcase = tcase_create("edit_tree");

	tcase_add_loop_test(tcase, buckets_are_as_the_monitor_leaves_them, 0,
			    (int)(sizeof(changes) / sizeof(changes[0])));
	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, the_selector_is_the_best_that_is_allowed);
	tcase_add_test(tcase, removed_ids_are_given_again);
	tcase_add_test(tcase, a_removed_device_takes_its_upmaps_along);
	tcase_add_test(tcase, uniform_buckets_take_one_weight_only);
	tcase_add_test(tcase, remarks_go_along_when_buckets_are_swapped);
	tcase_add_test(tcase, stored_tables_go_with_what_they_were_made_for);
	return tcase;
}
