/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_priv.h"

char *map_shadow_name(struct base_arena *arena, const char *base, const char *class_name)
{
	size_t size = strlen(base) + strlen(class_name) + 2;
	char *name = base_arena_alloc(arena, size, 1);

	if (name)
		snprintf(name, size, "%s~%s", base, class_name);
	return name;
}

bool map_is_called_after(const strew_bucket *shadow, const char *base)
{
	size_t len = strlen(base);

	return strncmp(shadow->name, base, len) == 0 && shadow->name[len] == '~' &&
	       strcmp(shadow->name + len + 1, shadow->class_name) == 0;
}

static struct map_class_draft *add_class(strew_builder *builder, int32_t id,
					 const char *name)
{
	uint32_t place = map_here(builder);
	const char *word = map_keep_word(builder, name);
	struct map_class_draft *added = NULL;

	if (word)
		added = map_push(builder, &builder->classes, sizeof(*added));
	if (added)
		*added = (struct map_class_draft){place, {id, word}};
	return added;
}

const char *map_add_class(strew_builder *builder, const char *name)
{
	const struct map_class_draft *last = builder->classes.items;
	const char *word = map_keep_word(builder, name);

	last = builder->classes.count ? last + builder->classes.count - 1 : NULL;
	if (word && !(last && last->class.name == word))
		add_class(builder, MAP_AUTO_CLASS_ID, word);
	return word;
}

void map_add_class_id(strew_builder *builder, int32_t id, const char *name)
{
	if (id < 0)
		map_fault(
			builder, map_here(builder),
			"the device class \"%.64s\" has the id %d; it must be from 0 to "
			"2147483647",
			name, (int)id);
	else
		add_class(builder, id, name);
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

/* The first draft of a class learns the id that another one tells. */
static void tell_id(strew_builder *builder, struct map_class *first,
		    const struct map_class_draft *other)
{
	if (first->id < 0)
		first->id = other->class.id;
	else if (other->class.id >= 0 && other->class.id != first->id)
		map_fault(builder, other->place,
			  "the device class \"%.64s\" is given the ids %d and %d; it can "
			  "have one",
			  first->name, (int)first->id, (int)other->class.id);
}

/* One draft a class, in order of first appearance, which a name's place stands for. */
static void merge_classes(strew_builder *builder)
{
	struct map_class_draft *classes = builder->classes.items;
	size_t count = 0;

	for (size_t i = 0; i < builder->classes.count; i++) {
		const struct map_name *name =
			map_names_find(&builder->class_names, classes[i].class.name);

		if (name->place != i)
			tell_id(builder, &classes[name->place].class, &classes[i]);
	}
	for (size_t i = 0; i < builder->classes.count; i++)
		if (map_names_find(&builder->class_names, classes[i].class.name)->place ==
		    i)
			classes[count++] = classes[i];
	builder->classes.count = count;
}

/* As Ceph gives them: above all that there are. */
static void give_ids(strew_builder *builder)
{
	struct map_class_draft *classes = builder->classes.items;
	int64_t next = 0;

	for (size_t i = 0; i < builder->classes.count; i++)
		if (classes[i].class.id >= next)
			next = (int64_t)classes[i].class.id + 1;
	for (size_t i = 0; i < builder->classes.count; i++) {
		if (classes[i].class.id >= 0)
			continue;
		if (next > INT32_MAX)
			map_fault(builder, classes[i].place,
				  "there is no id left for the device class \"%.64s\" "
				  "above "
				  "2147483647, which another class has",
				  classes[i].class.name);
		else
			classes[i].class.id = (int32_t)next++;
	}
}

static int compare_classes(const void *left, const void *right)
{
	const struct map_class_draft *a = left, *b = right;

	return a->class.id < b->class.id ? -1 : a->class.id > b->class.id;
}

static void order_classes(strew_builder *builder)
{
	struct map_class_draft *classes = builder->classes.items;

	if (builder->classes.count > 1)
		qsort(classes, builder->classes.count, sizeof(*classes), compare_classes);
	for (size_t i = 0; i < builder->classes.count; i++) {
		map_names_find(&builder->class_names, classes[i].class.name)->id =
			(int64_t)i;
		if (i > 0 && classes[i - 1].class.id == classes[i].class.id)
			map_fault(builder, classes[i].place,
				  "the device classes \"%.64s\" and \"%.64s\" both have "
				  "the "
				  "id %d; ids must be unique",
				  classes[i - 1].class.name, classes[i].class.name,
				  (int)classes[i].class.id);
	}
}

void map_settle_classes(strew_builder *builder)
{
	const struct map_class_draft *classes = builder->classes.items;

	for (size_t i = 0; i < builder->classes.count; i++)
		map_names_add(builder, &builder->class_names, classes[i].class.name, -1,
			      (uint32_t)i);
	if (builder->failed)
		return;
	map_names_sort(&builder->class_names);
	drop_twin_names(&builder->class_names);
	merge_classes(builder);
	give_ids(builder);
	order_classes(builder);
}

int32_t map_class_by_id(const strew_builder *builder, int32_t id)
{
	const struct map_class_draft *classes = builder->classes.items;
	size_t low = 0, high = builder->classes.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (classes[middle].class.id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < builder->classes.count && classes[low].class.id == id ? (int32_t)low
									   : -1;
}

int32_t map_class_id(const strew_builder *builder, int32_t class_index)
{
	const struct map_class_draft *classes = builder->classes.items;

	return class_index < 0 ? -1 : classes[class_index].class.id;
}

const char *map_class_name(const strew_builder *builder, int32_t class_index)
{
	const struct map_class_draft *classes = builder->classes.items;

	return class_index < 0 ? NULL : classes[class_index].class.name;
}

int32_t map_class_index(const strew_builder *builder, const char *name)
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

int32_t map_shadow_id(const strew_builder *builder, int32_t bucket, int32_t class_index)
{
	const struct map_shadow_draft *draft =
		map_list_find(&builder->shadows, -(int64_t)bucket, class_index);

	return draft ? draft->id : 0;
}

static void note_shadow(strew_builder *builder, const strew_bucket *shadow,
			int32_t class_index)
{
	struct map_shadow_draft *draft =
		map_push(builder, &builder->shadows.vec, sizeof(*draft));

	if (draft == NULL)
		return;
	draft->bucket = shadow->shadow_of;
	draft->class_index = class_index;
	draft->id = shadow->id;
}

/* The bucket that "BASE~CLASS" is named after. */
static const struct map_bucket_draft *find_base(strew_builder *builder,
						const strew_bucket *shadow)
{
	size_t len = strlen(shadow->name), class_len = strlen(shadow->class_name);
	const char *tail = shadow->name + len - class_len;
	int32_t base;
	char *name;

	if (len <= class_len || tail[-1] != '~' || strcmp(tail, shadow->class_name) != 0)
		return NULL;
	name = base_arena_strdup(&builder->scratch, shadow->name);
	if (name == NULL) {
		builder->failed = true;
		return NULL;
	}
	name[len - class_len - 1] = '\0';
	return map_find_item(builder, name, &base) ? map_bucket_draft(builder, base)
						   : NULL;
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
			    holder->class_index != draft->class_index))
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
		draft->class_index = map_class_index(builder, draft->class_name);
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
		draft->class_index = map_class_index(builder, draft->bucket.class_name);
		note_shadow(builder, &draft->bucket, draft->class_index);
	}
	map_list_sort(builder, &builder->shadows);
	settle_pins(builder);
}
