/* SPDX-License-Identifier: MIT */
#include "analyze_check_support.h"

#include <check.h>
#include <string.h>

#include "analyze_support.h"

strew_builder *start_good(void)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 2, 2);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 2, PGS, 0);
	return builder;
}

void add_shadow(strew_builder *builder, int32_t device, uint32_t weight)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	strew_builder_add_device(builder, 4, NULL, "ssd");
	strew_builder_add_item(builder, -2, 4, STREW_WEIGHT_ONE, 0);
	desc.id = -12;
	desc.name = "h0~ssd";
	desc.type = HOST;
	desc.shadow_of = -2;
	desc.class_name = "ssd";
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(builder, -12, device, weight, 0);
}

strew_map *build_good(strew_builder *builder)
{
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	if (strew_builder_build(&map, builder, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_builder_free(builder);
	return map;
}

strew_result *check_builder(strew_builder *builder, const strew_check_options *options)
{
	static const char *const always[] = {"rule-survives", "client-release"};
	strew_check_options how = STREW_CHECK_OPTIONS_INIT;
	strew_map *map = build_good(builder);
	strew_result *result = NULL;

	how.ignored = always;
	how.ignored_count = 2;
	if (options)
		how = *options;
	if (how.count == 0)
		how.count = FEW_INPUTS;
	ck_assert_int_eq(strew_check(&result, map, &how, NULL, NULL), STREW_OK);
	strew_map_release(map);
	return result;
}

const char *finding_at(const strew_result *result, size_t row, const char *column)
{
	return cell_at(result, "findings", row, column).text;
}

int find_finding(const strew_result *result, const char *code)
{
	for (size_t row = 0; row < row_count(result, "findings"); row++)
		if (strcmp(finding_at(result, row, "code"), code) == 0)
			return (int)row;
	return -1;
}
