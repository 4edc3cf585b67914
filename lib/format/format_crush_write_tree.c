/* SPDX-License-Identifier: MIT */
/* The buckets of CRUSH text: each after what it holds, without recursion. */
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "format_crush_write.h"
#include "format_scan.h"

/* A bucket on the way down, and which of its items is next. */
struct level {
	const strew_bucket *bucket;
	size_t next;
};

struct tree {
	struct format_crush_out *out;
	bool *seen;           /* by index */
	struct base_vec path; /* struct level */
};

static bool is_printed(const strew_bucket *bucket)
{
	return bucket->shadow_of == 0 && format_is_name(bucket->name);
}

int format_crush_compare_shadows(const void *left, const void *right)
{
	const struct format_crush_shadow *a = left, *b = right;

	if (a->bucket != b->bucket)
		return a->bucket > b->bucket ? -1 : 1;
	return (a->class_id > b->class_id) - (a->class_id < b->class_id);
}

static bool list_classes(struct format_crush_out *out)
{
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->class_count; i++)
		if (!format_names_add(&out->classes, out->to.output->allocator,
				      map->classes[i].name, map->classes[i].id))
			return false;
	format_names_sort(&out->classes);
	return true;
}

static int compare_to_class(const void *key, const void *element)
{
	int32_t id = *(const int32_t *)key,
		other = ((const struct map_class *)element)->id;

	return (id > other) - (id < other);
}

static void note_shadow(struct format_crush_out *out,
			const struct format_crush_shadow *shadow)
{
	out->shadows[out->shadow_count++] = *shadow;
}

static void note_strays(struct format_crush_out *out)
{
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->stray_count; i++) {
		const struct map_stray *stray = &map->strays[i];
		const struct map_class *class;

		if (stray->kind != MAP_STRAY_SHADOW || map->class_count == 0)
			continue;
		class = bsearch(&stray->class_id, map->classes, map->class_count,
				sizeof(*class), compare_to_class);
		if (class)
			note_shadow(out, &(struct format_crush_shadow){
						 stray->id, stray->class_id,
						 stray->shadow, class->name});
	}
}

/* Those that are there, and those that the map only knows the ids of. */
bool format_crush_list_shadows(struct format_crush_out *out)
{
	const strew_map *map = out->map;

	out->shadow_room = map->bucket_count + map->stray_count + 1;
	out->shadows = base_alloc(out->to.output->allocator, out->shadow_room,
				  sizeof(*out->shadows));
	if (out->shadows == NULL || !list_classes(out))
		return false;
	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];
		int32_t id = -1;

		if (bucket->shadow_of == 0)
			continue;
		format_names_find(&out->classes, bucket->class_name, &id);
		note_shadow(out, &(struct format_crush_shadow){bucket->shadow_of, id,
							       bucket->id,
							       bucket->class_name});
	}
	note_strays(out);
	qsort(out->shadows, out->shadow_count, sizeof(*out->shadows),
	      format_crush_compare_shadows);
	return true;
}

static int compare_to_bucket(const void *key, const void *element)
{
	int32_t id = *(const int32_t *)key;
	const struct format_crush_shadow *shadow = element;

	return id > shadow->bucket ? -1 : id < shadow->bucket;
}

/* `id N class C`, class by class. */
static void write_shadow_ids(struct format_crush_out *out, int32_t bucket)
{
	const struct format_crush_shadow *end = out->shadows + out->shadow_count;
	const struct format_crush_shadow *shadow =
		bsearch(&bucket, out->shadows, out->shadow_count, sizeof(*shadow),
			compare_to_bucket);

	if (shadow == NULL)
		return;
	while (shadow > out->shadows && shadow[-1].bucket == bucket)
		shadow--;
	for (; shadow < end && shadow->bucket == bucket; shadow++)
		base_str_addf(&out->to.text,
			      "\tid %d class %s\t\t# do not change unnecessarily\n",
			      (int)shadow->id, shadow->class_name);
}

static void write_alg(struct base_str *text, const strew_bucket *bucket)
{
	base_str_addf(text, "\talg %s", bucket->alg);
	if (strcmp(bucket->alg, "uniform") == 0)
		base_str_addf(text, "\t# do not change bucket size (%zu) unnecessarily",
			      bucket->item_count);
	else if (strcmp(bucket->alg, "list") == 0)
		base_str_add(text, "\t# add new items at the end; do not change order "
				   "unnecessarily");
	else if (strcmp(bucket->alg, "tree") == 0)
		base_str_add(text, "\t# do not change pos for existing items "
				   "unnecessarily");
	base_str_addf(text, "\n\thash %d\t# %s\n", bucket->hash,
		      bucket->hash == 0 ? "rjenkins1" : "unknown");
}

static void write_items(struct format_crush_out *out, const strew_bucket *bucket)
{
	struct base_str *text = &out->to.text;
	bool has_places =
		strcmp(bucket->alg, "uniform") == 0 || strcmp(bucket->alg, "tree") == 0;

	for (size_t i = 0; i < bucket->item_count; i++) {
		base_str_add(text, "\titem ");
		base_str_add(text, format_crush_item_name(out->map, bucket->items[i].id));
		base_str_add(text, " weight ");
		format_crush_add_weight(text, bucket->items[i].weight,
					out->dialect->weight_decimals);
		if (has_places)
			base_str_addf(text, " pos %zu", i);
		base_str_add(text, "\n");
		format_out_pass(&out->to);
	}
}

static void write_bucket(struct format_crush_out *out, const strew_bucket *bucket)
{
	struct base_str *text = &out->to.text;

	base_str_addf(text, "%s %s {\n\tid %d\t\t# do not change unnecessarily\n",
		      format_crush_type_name(out->map, bucket->type), bucket->name,
		      (int)bucket->id);
	write_shadow_ids(out, bucket->id);
	base_str_add(text, "\t# weight ");
	format_crush_add_weight(text, bucket->weight, out->dialect->weight_decimals);
	base_str_add(text, "\n");
	write_alg(text, bucket);
	write_items(out, bucket);
	base_str_add(text, "}\n");
}

static bool *seen(const struct tree *tree, const strew_bucket *bucket)
{
	return &tree->seen[bucket - tree->out->map->buckets];
}

static void go_down(struct tree *tree, const strew_bucket *bucket)
{
	struct level *level;

	if (*seen(tree, bucket))
		return;
	*seen(tree, bucket) = true;
	level = base_vec_push(&tree->path, tree->out->to.output->allocator,
			      sizeof(*level));
	if (level)
		level->bucket = bucket;
	else
		format_out_no_memory(&tree->out->to);
}

static void take_step(struct tree *tree)
{
	struct level *levels = tree->path.items, *top = &levels[tree->path.count - 1];
	const strew_bucket *bucket = top->bucket;

	while (top->next < bucket->item_count && bucket->items[top->next].id >= 0)
		top->next++;
	if (top->next < bucket->item_count) {
		int32_t child = bucket->items[top->next++].id;

		go_down(tree, strew_map_bucket_by_id(tree->out->map, child));
		return;
	}
	tree->path.count--;
	if (is_printed(bucket))
		write_bucket(tree->out, bucket);
}

void format_crush_write_tree(struct format_crush_out *out)
{
	const strew_map *map = out->map;
	const strew_allocator *allocator = out->to.output->allocator;
	struct tree tree = {out, base_calloc(allocator, map->bucket_count + 1, 1), {0}};

	if (tree.seen == NULL)
		format_out_no_memory(&out->to);
	for (size_t i = 0; i < map->bucket_count && !format_out_stopped(&out->to); i++) {
		go_down(&tree, &map->buckets[i]);
		while (tree.path.count > 0 && !format_out_stopped(&out->to))
			take_step(&tree);
	}
	base_vec_free(&tree.path, allocator);
	base_free(allocator, tree.seen, map->bucket_count + 1);
}
