/* SPDX-License-Identifier: MIT */
#include "format_names.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	const char *name;
	size_t order;
	int32_t id;
};

bool format_names_add(struct format_names *names, const strew_allocator *allocator,
		      const char *name, int32_t id)
{
	size_t order = names->entries.count;
	struct entry *entry = base_vec_push(&names->entries, allocator, sizeof(*entry));

	if (entry == NULL)
		return false;
	*entry = (struct entry){.name = name, .order = order, .id = id};
	return true;
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

void format_names_sort(struct format_names *names)
{
	if (names->entries.count > 0)
		qsort(names->entries.items, names->entries.count, sizeof(struct entry),
		      compare_entries);
}

bool format_names_find(const struct format_names *names, const char *name, int32_t *id)
{
	const struct entry *entries = names->entries.items;
	size_t low = 0, high = names->entries.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(entries[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == names->entries.count || strcmp(entries[low].name, name) != 0)
		return false;
	*id = entries[low].id;
	return true;
}

void format_names_free(struct format_names *names, const strew_allocator *allocator)
{
	base_vec_free(&names->entries, allocator);
}
