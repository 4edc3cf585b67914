/* SPDX-License-Identifier: MIT */
#include "format_names.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	const char *name;
	size_t len;
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
	*entry = (struct entry){name, strlen(name), order, id};
	return true;
}

/* Shorter ones first: names that are numbered come in the order of their numbers, as
 * files mostly have them. */
static int compare_names(const struct entry *a, const struct entry *b)
{
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return memcmp(a->name, b->name, a->len);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_names(a, b);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static bool is_sorted(const struct format_names *names)
{
	const struct entry *entries = names->entries.items;

	for (size_t i = 1; i < names->entries.count; i++)
		if (compare_entries(&entries[i - 1], &entries[i]) > 0)
			return false;
	return true;
}

void format_names_sort(struct format_names *names)
{
	if (!is_sorted(names))
		qsort(names->entries.items, names->entries.count, sizeof(struct entry),
		      compare_entries);
}

/* @return the first entry that isn't before the name */
static size_t search(const struct format_names *names, const struct entry *wanted)
{
	const struct entry *entries = names->entries.items;
	size_t low = 0, high = names->entries.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_names(&entries[middle], wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool format_names_find_next(const struct format_names *names, const char *name,
			    size_t *place, int32_t *id)
{
	const struct entry *entries = names->entries.items;
	struct entry wanted = {.name = name, .len = strlen(name)};
	size_t at = *place;

	/* Behind another name, so that it is the first of its own. */
	if (at == 0 || at >= names->entries.count ||
	    compare_names(&entries[at], &wanted) != 0 ||
	    compare_names(&entries[at - 1], &wanted) == 0)
		at = search(names, &wanted);
	*place = at + 1;
	if (at == names->entries.count || compare_names(&entries[at], &wanted) != 0)
		return false;
	*id = entries[at].id;
	return true;
}

bool format_names_find(const struct format_names *names, const char *name, int32_t *id)
{
	size_t place = 0;

	return format_names_find_next(names, name, &place, id);
}

void format_names_free(struct format_names *names, const strew_allocator *allocator)
{
	base_vec_free(&names->entries, allocator);
}
