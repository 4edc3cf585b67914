/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

/* What a reader refused. A stub of it is added, as the reader would have added the thing;
 * a map is not built from it, since a fault was reported. */

static void mark_stub(strew_builder *builder, struct map_list *list)
{
	struct map_draft *head;

	if (builder->failed)
		return;
	head = map_list_at(list, list->vec.count - 1);
	head->refused = head->stub = true;
}

int32_t map_refuse_bucket(strew_builder *builder, int32_t id, const char *name)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	id = strew_builder_add_bucket(builder, &desc);
	mark_stub(builder, &builder->buckets);
	return id;
}

void map_refuse_device(strew_builder *builder, int32_t id, const char *name,
		       const char *class_name)
{
	strew_builder_add_device(builder, id, name, class_name);
	mark_stub(builder, &builder->devices);
}

void map_refuse_rule(strew_builder *builder, int32_t id, const char *name)
{
	strew_builder_add_rule(builder, id, name, STREW_KIND_REPLICATED);
	mark_stub(builder, &builder->rules);
}

void map_refuse_pool(strew_builder *builder, int64_t id, const char *name)
{
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.pg_num = UINT32_MAX;
	strew_builder_add_pool(builder, &desc);
	mark_stub(builder, &builder->pools);
}

void map_refuse_all(strew_builder *builder, enum map_part part)
{
	builder->refuses_all[part] = true;
}

bool map_refuses_all(const strew_builder *builder, enum map_part part)
{
	return builder->refuses_all[part];
}
