/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "map_priv.h"

const char *map_add_class(strew_builder *builder, const char *name)
{
	const char *const *classes = builder->classes.items;
	const char *word = map_keep_word(builder, name);
	const char **added;

	if (word == NULL ||
	    (builder->classes.count && classes[builder->classes.count - 1] == word))
		return word;
	added = map_push(builder, &builder->classes, sizeof(*added));
	if (added)
		*added = word;
	return word;
}

static void drop_twin_names(struct base_vec *sorted)
{
	struct map_name *names = sorted->items;
	size_t count = 0;

	for (size_t i = 0; i < sorted->count; i++)
		if (count == 0 || strcmp(names[count - 1].name, names[i].name) != 0)
			names[count++] = names[i];
	sorted->count = count;
}

/* Ids go by first appearance, which a name's place stands for here. */
void map_settle_classes(strew_builder *builder)
{
	const char **classes = builder->classes.items;
	size_t count = 0;

	for (size_t i = 0; i < builder->classes.count; i++)
		map_names_add(builder, &builder->class_names, classes[i], -1,
			      (uint32_t)i);
	if (builder->failed)
		return;
	map_names_sort(&builder->class_names);
	drop_twin_names(&builder->class_names);
	for (size_t i = 0; i < builder->classes.count; i++) {
		struct map_name *name = map_names_find(&builder->class_names, classes[i]);

		if (name->place != i)
			continue;
		name->id = (int64_t)count;
		classes[count++] = name->name;
	}
	builder->classes.count = count;
}

int32_t map_class_id(const strew_builder *builder, const char *name)
{
	const struct map_name *found = NULL;

	if (name)
		found = map_names_find(&builder->class_names, name);
	return found ? (int32_t)found->id : -1;
}

void strew_builder_set_shadow_id(strew_builder *builder, int32_t bucket,
				 const char *class_name, int32_t id)
{
	struct map_shadow_draft *draft;

	if (!map_check_id(builder, map_here(builder), MAP_BUCKETS, id))
		return;
	draft = map_list_add(builder, &builder->pins);
	if (draft == NULL)
		return;
	draft->bucket = bucket;
	draft->id = id;
	draft->class_name = map_add_class(builder, class_name);
}

void strew_builder_derive_shadows(strew_builder *builder)
{
	builder->derives = true;
}

int32_t map_shadow_id(const strew_builder *builder, int32_t bucket, int32_t class_id)
{
	const struct map_shadow_draft *draft =
		map_list_find(&builder->shadows, -(int64_t)bucket, class_id);

	return draft ? draft->id : 0;
}

static void note_shadow(strew_builder *builder, const strew_bucket *shadow,
			int32_t class_id)
{
	struct map_shadow_draft *draft =
		map_push(builder, &builder->shadows.vec, sizeof(*draft));

	if (draft == NULL)
		return;
	draft->bucket = shadow->shadow_of;
	draft->class_id = class_id;
	draft->id = shadow->id;
}

/* The bucket that "BASE~CLASS" is named after. */
static const struct map_bucket_draft *find_base(strew_builder *builder,
						const strew_bucket *shadow)
{
	size_t len = strlen(shadow->name), class_len = strlen(shadow->class_name);
	const char *tail = shadow->name + len - class_len;
	const struct map_name *base;
	char *name;

	if (len <= class_len || tail[-1] != '~' || strcmp(tail, shadow->class_name) != 0)
		return NULL;
	name = base_arena_strdup(&builder->scratch, shadow->name);
	if (name == NULL) {
		builder->failed = true;
		return NULL;
	}
	name[len - class_len - 1] = '\0';
	base = map_names_find(&builder->item_names, name);
	return base ? map_bucket_draft(builder, (int32_t)base->id) : NULL;
}

static bool is_ordinary(const struct map_bucket_draft *draft)
{
	return draft && draft->bucket.class_name == NULL && draft->bucket.shadow_of == 0;
}

/* A file may mark a shadow by its name and class only. */
static void settle_named_shadow(strew_builder *builder, struct map_bucket_draft *draft)
{
	const struct map_bucket_draft *base = find_base(builder, &draft->bucket);

	if (is_ordinary(base)) {
		draft->bucket.shadow_of = base->bucket.id;
		return;
	}
	map_warn(builder, draft->head.place,
		 "%s is of class \"%.64s\", but there is no bucket that it could be the "
		 "shadow of; it is taken for an ordinary bucket",
		 map_bucket_label(builder, draft).text, draft->bucket.class_name);
}

static void settle_told_shadow(strew_builder *builder, struct map_bucket_draft *draft)
{
	int32_t id = map_final_id(builder, draft->bucket.shadow_of);
	bool ok = is_ordinary(map_bucket_draft(builder, id)) && draft->bucket.class_name;

	draft->bucket.shadow_of = ok ? id : 0;
	if (!ok)
		map_fault(builder, draft->head.place,
			  "%s is said to be the shadow of %s for %s%.64s; a shadow needs "
			  "an ordinary bucket and a device class",
			  map_bucket_label(builder, draft).text,
			  map_label(builder, id).text,
			  draft->bucket.class_name ? "class " : "no class",
			  draft->bucket.class_name ? draft->bucket.class_name : "");
}

/* Why a shadow can't have the id that it is to have; "" when it can. */
static struct map_text pin_clash(const strew_builder *builder,
				 const struct map_shadow_draft *draft,
				 const struct map_shadow_draft *before)
{
	const struct map_bucket_draft *holder = map_bucket_draft(builder, draft->id);
	struct map_text out = {""};

	if (map_bucket_draft(builder, draft->bucket) == NULL)
		snprintf(out.text, sizeof(out.text), "the bucket does not exist");
	else if (before && before->id == draft->id)
		snprintf(out.text, sizeof(out.text),
			 "it is kept for another shadow too%.200s",
			 map_at(builder, before->head.place, draft->head.place).text);
	else if (holder && (holder->bucket.shadow_of != draft->bucket ||
			    holder->class_id != draft->class_id))
		snprintf(out.text, sizeof(out.text), "%.200s has it",
			 map_bucket_label(builder, holder).text);
	return out;
}

static void key_pin(struct map_key *key, const void *draft)
{
	key->major = -(int64_t)((const struct map_shadow_draft *)draft)->id;
}

static const struct map_kind pins_by_id = {"shadow", sizeof(struct map_shadow_draft),
					   key_pin, NULL};

static void settle_pins(strew_builder *builder)
{
	struct map_list by_id = {&pins_by_id, builder->pins.vec};
	const struct map_shadow_draft *before = NULL;

	map_list_sort(builder, &by_id);
	for (size_t i = 0; i < by_id.vec.count; i++) {
		struct map_shadow_draft *draft = map_list_at(&by_id, i);
		struct map_text clash;

		draft->bucket = map_final_id(builder, draft->bucket);
		draft->class_id = map_class_id(builder, draft->class_name);
		clash = pin_clash(builder, draft, before);
		draft->head.gone = clash.text[0] != '\0';
		if (draft->head.gone)
			map_fault(builder, draft->head.place,
				  "the id %d can't be kept for the shadow of %s, because "
				  "%s",
				  (int)draft->id, map_label(builder, draft->bucket).text,
				  clash.text);
		before = draft;
	}
	map_list_compact(&builder->pins);
	map_list_sort(builder, &builder->pins);
}

void map_settle_shadows(strew_builder *builder)
{
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);

		if (draft->bucket.shadow_of != 0)
			settle_told_shadow(builder, draft);
		else if (draft->bucket.class_name)
			settle_named_shadow(builder, draft);
		if (draft->bucket.shadow_of == 0)
			continue;
		draft->class_id = map_class_id(builder, draft->bucket.class_name);
		note_shadow(builder, &draft->bucket, draft->class_id);
	}
	map_list_sort(builder, &builder->shadows);
	settle_pins(builder);
}
